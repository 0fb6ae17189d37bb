// One topology: figures, components, graph, workers, configuration, actions.
import { html, useState } from "./vendor/standalone.module.js";
import { Configuration, Confirmation, Loaded, PagedTable, Panel, State, Table, Tiles, WindowChoice, field, link, post, useApi, useEvents, whenReady, whole, windowColumn } from "./parts.js";
import { Charts, Percentiles } from "./charts.js";
import { GraphDrawing } from "./graph.js";
import { workerColumns } from "./cluster.js";
import { logLink } from "./logs.js";
import { MAX_WORKERS, Places } from "./places.js";

const latency = (name, key) => field(name, key);
const error = { name: "Last error", value: row => row.lastError, wide: true,
  show: row => row.lastError && html`<span class="bad">${logLink(row.errorWorkerLogLink, `${row.errorHost}:${row.errorPort}`)},
    ${whole(row.errorLapsedSecs)} s ago: ${row.lastError}</span>` };

const counts = [field("Emitted", "emitted"), field("Transferred", "transferred"), field("Acked", "acked"), field("Failed", "failed")];

const component = (topology, key) => ({ name: "Id", value: row => row[key],
  show: row => html`<a href=${link("topology", topology, "component", row[key])}>${row[key]}</a>` });

/** The plan of the scheduler, and how it is applied; or why there is none. */
async function plan(path, machines) {
  const request = await post(path + "scaling", machines.startsWith("-") ? { in: machines.slice(1) } : { out: machines });
  const address = path + "scaling/" + request.requestId;
  const { refusal, plan } = await whenReady(address);
  return refusal || { text: plan, label: "Apply the plan", act: () => post(address + "/apply").then(done => "Applied. " + done.text) };
}

/** What was filled in of a service level. */
const filledIn = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")
  .map(([key, value]) => [key, Number.isNaN(Number(value)) ? value : Number(value)]));

/** The buttons, and the question that each asks before it acts. */
function Actions({ page, again }) {
  const [question, ask] = useState(null);
  const path = "topology/" + encodeURIComponent(page.id) + "/";
  const wait = { name: "wait", label: "Wait, in seconds", value: String(page.msgTimeout) };
  const of = ` ${page.name}`;
  const questions = {
    "Activate": { text: "Its spouts emit again.", act: () => post(path + "activate") },
    "Deactivate": { text: "Its spouts stop emitting.", act: () => post(path + "deactivate") },
    "Rebalance": { text: "Nimbus assigns its executors anew.", fields: [wait, { name: "workers", label: "Workers", value: String(page.workersTotal) }],
      act: values => post(path + "rebalance/" + encodeURIComponent(values.wait), { rebalanceOptions: { numWorkers: values.workers } }) },
    "Kill": { text: "It ends for good, after the wait. Tuples that are under way may be lost.", danger: true, fields: [wait],
      act: values => post(path + "kill/" + encodeURIComponent(values.wait)) },
    [page.debug ? "Stop debugging" : "Debug"]: page.debug
      ? { text: "No more tuples are logged.", act: () => post(path + "debug/disable/0") }
      : { text: "A share of all tuples is logged, which costs throughput. Needs topology.eventlogger.executors above 0.",
        fields: [{ name: "percent", label: "Share, in per cent", value: "10" }],
        act: values => post(path + "debug/enable/" + encodeURIComponent(values.percent)) },
    "Scale": { text: "Nimbus's scheduler says which components would get executors on how many more machines, or fewer if the number"
      + " is negative. Nothing changes before you apply the plan.", label: "Show the plan",
      fields: [{ name: "machines", label: "Machines", value: "1" }], act: values => plan(path, values.machines) },
    "Service level": { text: "What is left empty stays as it is; 0 takes a bound away. It is in force after some seconds, and nothing restarts.",
      fields: [{ name: "latency.ms", label: "Latency at most, in ms", value: "" },
        { name: "latency.percentile", label: "Of that latency: mean, or p50 to p99.9", value: "" },
        { name: "juice.min", label: "Juice at least, up to 1", value: "" },
        { name: "throughput.min", label: "Tuples per second at least", value: "" },
        { name: "utility.max", label: "Priority", value: "" }],
      act: values => post(path + "slo", filledIn(values)).then(level => "In force: " + level.slo) },
    "Log level": { text: "Takes effect in all of its workers, and ends after the time.", fields: [
      { name: "logger", label: "Logger", value: "ROOT" }, { name: "level", label: "Level", value: "DEBUG" },
      { name: "timeout", label: "Time, in seconds", value: "60" }],
      act: values => post(path + "logconfig",
        { namedLoggerLevels: { [values.logger]: { target_level: values.level, timeout: values.timeout } } }) } };
  const possible = { "Activate": page.status === "INACTIVE", "Deactivate": page.status === "ACTIVE" };
  return html`${Object.entries(questions).map(([title, rest]) => html`
      <button class=${rest.danger ? "danger" : ""} disabled=${page.status === "KILLED" || possible[title] === false}
        onClick=${() => ask({ title: title + of, ...rest })}>${title}</button>`)}
    <${Confirmation} question=${question} done=${() => { ask(null); again(); }} />`;
}

/** Who holds whom back, in words. */
function Pressure({ api, topology }) {
  const now = api.data?.[0];
  if (!now || now.unavailable || now.culprits.length === 0) {
    return null;
  }
  return html`<ul class="pressure">${now.culprits.map(culprit => html`<li><b class="bad"><a
      href=${link("topology", topology, "component", culprit.component)}>${culprit.component}</a></b> holds back
      ${" " + culprit.holds.join(", ")}, since ${new Date(culprit.sinceMs).toLocaleTimeString()}: the queue is full of
      ${" " + culprit.executors.slice(0, 3).map(queue => `${queue.id} at ${queue.host}:${queue.port}`).join(", ")}${
      culprit.executors.length > 3 && `, and of ${culprit.executors.length - 3} more`}</li>`)}</ul>`;
}

const percentile = (name, key) => ({ name, value: row => String(Number(row.percentilesMs[key].toPrecision(3))) });
const way = hop => hop.from ? `${hop.from}${hop.stream === "default" ? "" : ":" + hop.stream}${hop.to && hop.to !== hop.from ? " → " + hop.to : ""}`
  : "between workers";

/** Every hop of the tuples, the one first that takes longest. */
function Hops({ latency }) {
  if (!latency || latency.unavailable || latency.hops.length === 0) {
    return latency?.unavailable && html`<${Panel} title="Hops"><p class="faint">${latency.unavailable}</p><//>`;
  }
  const rows = [...latency.hops].sort((a, b) => b.part - a.part || b.percentilesMs["50"] - a.percentilesMs["50"]);
  const { slowest } = latency;
  const since = latency.sinceMs ? `in the last ${Math.round((latency.timeMs - latency.sinceMs) / 1000)} s` : "since the workers started";
  return html`<${Table} title="Hops, ms" rows=${rows} order=${null} tools=${html`<span class="faint">${since}</span>`} columns=${[
    { name: "Way", value: way }, { name: "Hop", value: row => row.hop,
      show: row => html`${row.hop}${row === slowest || (row.hop === slowest?.hop && way(row) === way(slowest)) ? html` <b class="bad">slowest</b>` : ""}` },
    field("Count", "count"), percentile("p50", "50"), percentile("p90", "90"), percentile("p99", "99"), percentile("p99.9", "99.9"),
    percentile("Longest", "100")]} />`;
}

/** The workers that the page has, or pages of them from the server if there are more. */
function Workers({ page, path }) {
  const rest = { title: "Workers", columns: workerColumns, tools: html`<a href=${link("logs", page.id)}>Search their logs</a>` };
  return page.total > page.workers.length ? html`<${PagedTable} ...${rest} path=${path} list="workers" all=${page.total} />`
    : html`<${Table} ...${rest} rows=${page.workers} empty="No worker runs yet." />`;
}

export function TopologyPage({ id }) {
  const [window, choose] = useState(":all-time");
  const [system, showSystem] = useState(false);
  const query = `?window=${encodeURIComponent(window)}&sys=${system ? 1 : 0}`;
  const path = "topology/" + encodeURIComponent(id);
  const api = useApi(`${path}${query}&size=${MAX_WORKERS}&sort=host`, `${path}/visualization${query}&stats=sum`, path + "/slo");
  const pressure = useApi(path + "/back-pressure");
  const hops = useApi(path + "/latency").data?.[0];
  useEvents(id);
  return html`<${Loaded} api=${api} show=${(page, graph, level) => html`
    <div class="head"><h1>${page.name}</h1><div class="row"><${Actions} page=${page} again=${api.again} /></div></div>
    <p class="faint">${page.id}</p>
    <${Tiles} of=${{ "Status": html`<${State} of=${page.status} />`, "Owner": page.owner, "Uptime": page.uptime, "Workers": page.workersTotal,
      "Executors": page.executorsTotal, "Tasks": page.tasksTotal, "Memory, MB": whole(page.assignedTotalMem),
      "Storm": page.stormVersion || "unknown" }} />
    ${level.slo && html`<${Panel} title="Service level"><${Tiles} of=${{ "State": html`<${State} of=${level.state} />`, "Promised": level.slo,
      "Now": level.now, "Utility": level.utility === null ? "unknown" : `${level.utility.toFixed(2)} of ${level.maxUtility.toFixed(2)}` }} />
      ${level.lastAction && html`<p class="faint">Last step: ${level.lastActionMs ? new Date(level.lastActionMs).toLocaleString() + ", " : ""}${level.lastAction}</p>`}<//>`}
    ${page.schedulerInfo && html`<p class="faint">Scheduler: ${page.schedulerInfo}</p>`}
    <div class="row"><${WindowChoice} window=${window} choose=${choose} />
      <label><input type="checkbox" checked=${system} onChange=${event => showSystem(event.target.checked)} /> Storm's own components</label></div>
    <${Panel} title="Graph"><${Pressure} api=${pressure} topology=${id} />
      <${GraphDrawing} components=${graph} topology=${id} window=${window} pressure=${pressure.data?.[0]} latency=${hops} /><//>
    <${Hops} latency=${hops} />
    <${Percentiles} latency=${hops} />
    <${Charts} topology=${id} />
    <${Table} title="Figures" rows=${page.topologyStats} columns=${[windowColumn, ...counts,
      latency("Complete latency, ms", "completeLatency")]} />
    <${Table} title="Spouts" rows=${page.spouts} columns=${[component(id, "spoutId"), field("Executors", "executors"), field("Tasks", "tasks"),
      ...counts, latency("Complete latency, ms", "completeLatency"), error]} />
    <${Table} title="Bolts" rows=${page.bolts} columns=${[component(id, "boltId"), field("Executors", "executors"), field("Tasks", "tasks"),
      ...counts, field("Executed", "executed"), field("Capacity", "capacity"), latency("Execute, ms", "executeLatency"),
      latency("Process, ms", "processLatency"), error]} />
    <${Places} workers=${page.workers} all=${page.total} topology=${id} />
    <${Workers} page=${page} path=${path + query} />
    <${Configuration} of=${page.configuration} topology=${id} />`} />
    ${api.error && !api.data && html`<${Charts} topology=${id} />`}`;
}
