// What a worker's profiler has written, with a flame graph, and buttons that have it write more. Its host's logviewer has the files.
import { html, useEffect, useState } from "./vendor/standalone.module.js";
import { Confirmation, Loaded, Panel, Table, link, post, useApi } from "./parts.js";
import { logLink } from "./logs.js";
import { withWorkersBeside } from "./places.js";

const REFRESH_MS = 3000;
const LONGEST_MINUTES = 60;
const WRITTEN = /^((recording-.*\.jfr)|(jstack-.*\.txt)|(heap-.*\.bin)|(profile-failed-.*\.txt))$/;
const events = { cpu: "CPU time", wall: "Time, running or not", lock: "Waiting for locks", alloc: "Allocation" };
const LATER = " The worker's Supervisor begins within 10 s. What it writes appears on this page.";

/** The names of the files, those written last first, asked for again and again: {names, error}. */
function useFiles(logviewer, topology, port) {
  const [state, setState] = useState({ names: [] });
  useEffect(() => {
    let over = false;
    const ask = async () => {
      try {
        const response = await fetch(`${logviewer}/api/v1/listLogs?topoId=${encodeURIComponent(topology)}&port=${encodeURIComponent(port)}`,
          { credentials: "include" });
        const json = await response.json();
        if (!response.ok) {
          throw new Error(json.errorMessage);
        }
        const time = name => name.match(/\d{8}-\d{6}/)?.[0] || "";
        const names = json.map(name => name.split("/").pop()).filter(name => WRITTEN.test(name))
          .sort((a, b) => time(b).localeCompare(time(a)));
        if (!over) {
          setState(before => before.names.join() === names.join() && !before.error ? before : { names });
        }
      } catch (failure) {
        if (!over) {
          setState(before => ({ ...before, error: failure instanceof TypeError
            ? "no answer for this page. Is storm logviewer running there? If you must log in to it, open it once. If this site's address is"
              + " not that of a Nimbus, list it in logviewer.allowed.origins." : failure.message }));
        }
      }
    };
    ask();
    const timer = setInterval(() => document.hidden || ask(), REFRESH_MS);
    return () => { over = true; clearInterval(timer); };
  }, [logviewer, topology, port]);
  return state;
}

function Actions({ topology, worker }) {
  const [question, ask] = useState(null);
  const path = what => `topology/${encodeURIComponent(topology)}/profiling/${what}/${encodeURIComponent(worker)}`;
  const questions = {
    "Record": { text: `Its threads are sampled until you stop it, for ${LONGEST_MINUTES} minutes at most.` + LATER,
      act: () => post(`${path("start")}/${LONGEST_MINUTES}`) },
    "Stop": { text: "The recording ends." + LATER, act: () => post(path("stop")) },
    "Stacks": { text: "The stacks of its threads are written." + LATER, act: () => post(path("dumpjstack")) },
    "Heap": { text: "Its heap is written, and it stands still meanwhile." + LATER, danger: true, act: () => post(path("dumpheap")) } };
  return html`${Object.entries(questions).map(([title, rest]) => html`
      <button class=${rest.danger ? "danger" : ""} onClick=${() => ask({ title: `${title} ${worker}`, ...rest })}>${title}</button>`)}
    <${Confirmation} question=${question} done=${() => ask(null)} />`;
}

/** A flame graph, and what it can show instead. */
function Flames({ of, address, event, chooseEvent, threads, thread, chooseThread }) {
  const source = `${address}?${new URLSearchParams({ event, thread })}`;
  const tools = html`<label>Width <select onChange=${change => chooseEvent(change.target.value)}>${Object.entries(events).map(([key, name]) => html`
      <option value=${key} selected=${key === event}>${name}</option>`)}</select></label>
    <label>Threads <select onChange=${change => chooseThread(change.target.value)}><option value="" selected=${!thread}>all</option>
      ${threads.map(name => html`<option value=${name} selected=${name === thread}>${name}</option>`)}</select></label>
    <a href=${source} target="_blank" rel="noopener">Open</a>`;
  return html`<${Panel} title="Flame graph" tools=${tools}>
    <p class="faint">${of}. Below each thread are its methods: the wider, the more. A click enlarges one, Ctrl-F searches.</p>
    <iframe class="flames" title=${"Flame graph of " + of} src=${source} sandbox="allow-scripts"></iframe><//>`;
}

function Written({ topology, worker, logviewer, components, executor }) {
  const port = worker.split(":").pop();
  const { names, error } = useFiles(logviewer, topology, port);
  const [chosen, choose] = useState(null);
  const [event, chooseEvent] = useState("cpu");
  const [thread, chooseThread] = useState(executor || "");
  const address = (kind, name) => `${logviewer}/api/v1/${kind}/${encodeURIComponent(topology)}/${encodeURIComponent(worker)}/${encodeURIComponent(name)}`;
  const shown = chosen || names.find(name => name.endsWith(".jfr"));
  const rows = names.map(name => ({ name, time: name.match(/\d{8}-\d{6}/)?.[0] }));
  const threads = [...new Set([...components, ...(executor ? [executor] : [])])].sort();
  return html`
    ${error && html`<div class="panel notice" role="alert">${logLink(logviewer, worker)}: ${error}</div>`}
    ${shown && html`<${Flames} of=${shown} address=${address("flame-graph", shown)} event=${event} chooseEvent=${chooseEvent}
      threads=${threads} thread=${thread} chooseThread=${chooseThread} />`}
    <${Table} title="Written" rows=${rows} empty="Nothing yet." columns=${[
      { name: "Time", value: row => row.time, show: row => row.time },
      { name: "File", value: row => row.name, show: row => logLink(row.name.endsWith(".txt")
        ? `${logviewer}/api/v1/log?file=${encodeURIComponent(`${topology}/${port}/${row.name}`)}` : address("dumps", row.name), row.name) },
      { name: "Flame graph", value: row => row.name,
        show: row => row.name.endsWith(".jfr") && html`<button onClick=${() => choose(row.name)}>Show ${row.name}</button>` }]} />`;
}

/** Of one worker; `executor` is the component or executor whose threads are shown first, as count or count[4-4]. */
export function ProfilePage({ topology, worker, executor }) {
  const api = useApi("supervisor/summary", withWorkersBeside(topology, worker));
  const host = worker.slice(0, worker.lastIndexOf(":"));
  return html`<div class="head"><h1>${worker}</h1><div class="row"><${Actions} topology=${topology} worker=${worker} /></div></div>
    <p><a href=${link("topology", topology)}>${topology}</a></p>
    <${Loaded} api=${api} show=${(page, running) => {
      const found = page.supervisors.find(one => one.host === host);
      const here = running.workers.find(one => `${one.host}:${one.port}` === worker);
      return found ? html`<${Written} topology=${topology} worker=${worker} logviewer=${new URL(found.logLink).origin}
          components=${Object.keys(here?.componentNumTasks || {})} executor=${executor} />`
        : html`<p>No Supervisor runs on ${host}.</p>`;
    }} />`;
}
