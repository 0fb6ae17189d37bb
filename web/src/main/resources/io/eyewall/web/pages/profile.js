// What a worker's profiler has written, with a flame graph, and buttons that have it write more. Its host's logviewer has the files.
import { html, useEffect, useState } from "./vendor/standalone.module.js";
import { Confirmation, Loaded, Panel, Table, link, post, useApi } from "./parts.js";
import { logLink } from "./logs.js";

const REFRESH_MS = 3000;
const AGAIN_MS = 15000;
const MOST_MINUTES = 1440;
const WRITTEN = /^((recording-.*\.jfr)|(jstack-.*\.txt)|(heap-.*\.bin)|(profile-failed-.*\.txt))$/;
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
    "Record": { text: "Java's Flight Recorder samples its threads until you stop it, or async-profiler if its host has it." + LATER,
      act: () => post(`${path("start")}/${MOST_MINUTES}`) },
    // A Supervisor ends a recording when it gets the same request a second time.
    "Stop": { text: "A recording that runs ends within 30 s. Leave this page open so long." + LATER,
      act: () => post(path("stop")).then(() => { setTimeout(() => post(path("stop")), AGAIN_MS); }) },
    "Stacks": { text: "The stacks of its threads are written." + LATER, act: () => post(path("dumpjstack")) },
    "Heap": { text: "Its heap is written, and it stands still meanwhile." + LATER, danger: true, act: () => post(path("dumpheap")) } };
  return html`${Object.entries(questions).map(([title, rest]) => html`
      <button class=${rest.danger ? "danger" : ""} onClick=${() => ask({ title: `${title} ${worker}`, ...rest })}>${title}</button>`)}
    <${Confirmation} question=${question} done=${() => ask(null)} />`;
}

function Written({ topology, worker, logviewer }) {
  const port = worker.split(":").pop();
  const { names, error } = useFiles(logviewer, topology, port);
  const [chosen, choose] = useState(null);
  const address = (kind, name) => `${logviewer}/api/v1/${kind}/${encodeURIComponent(topology)}/${encodeURIComponent(worker)}/${encodeURIComponent(name)}`;
  const shown = chosen || names.find(name => name.endsWith(".jfr"));
  const rows = names.map(name => ({ name, time: name.match(/\d{8}-\d{6}/)?.[0] }));
  return html`
    ${error && html`<div class="panel notice" role="alert">${logLink(logviewer, worker)}: ${error}</div>`}
    ${shown && html`<${Panel} title="Flame graph" tools=${html`<a href=${address("flame-graph", shown)} target="_blank" rel="noopener">Open</a>`}>
      <p class="faint">${shown}. Below each thread are its methods: the wider, the more samples. A click enlarges one, Ctrl-F searches.</p>
      <iframe class="flames" title=${"Flame graph of " + shown} src=${address("flame-graph", shown)} sandbox="allow-scripts"></iframe><//>`}
    <${Table} title="Written" rows=${rows} empty="Nothing yet." columns=${[
      { name: "Time", value: row => row.time, show: row => row.time },
      { name: "File", value: row => row.name, show: row => logLink(row.name.endsWith(".txt")
        ? `${logviewer}/api/v1/log?file=${encodeURIComponent(`${topology}/${port}/${row.name}`)}` : address("dumps", row.name), row.name) },
      { name: "Flame graph", value: row => row.name,
        show: row => row.name.endsWith(".jfr") && html`<button onClick=${() => choose(row.name)}>Show ${row.name}</button>` }]} />`;
}

export function ProfilePage({ topology, worker }) {
  const api = useApi("supervisor/summary");
  const host = worker.slice(0, worker.lastIndexOf(":"));
  return html`<div class="head"><h1>${worker}</h1><div class="row"><${Actions} topology=${topology} worker=${worker} /></div></div>
    <p><a href=${link("topology", topology)}>${topology}</a></p>
    <${Loaded} api=${api} show=${page => {
      const found = page.supervisors.find(one => one.host === host);
      return found ? html`<${Written} topology=${topology} worker=${worker} logviewer=${new URL(found.logLink).origin} />`
        : html`<p>No Supervisor runs on ${host}.</p>`;
    }} />`;
}
