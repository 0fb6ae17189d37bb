// One component: figures by window, stream and executor, and its errors.
import { html, useState } from "./vendor/standalone.module.js";
import { Charts } from "./charts.js";
import { Loaded, PagedTable, Panel, Table, Tiles, WindowChoice, field, link, useApi, windowColumn } from "./parts.js";
import { logColumn, logLink } from "./logs.js";
import { workerLink } from "./cluster.js";

const sent = [field("Emitted", "emitted"), field("Transferred", "transferred")];
const ended = [field("Acked", "acked"), field("Failed", "failed")];
const executed = [field("Executed", "executed"), field("Execute, ms", "executeLatency"), field("Process, ms", "processLatency")];
const complete = field("Complete latency, ms", "completeLatency");

export function ComponentPage({ topology, id }) {
  const [window, choose] = useState(":all-time");
  const [system, showSystem] = useState(false);
  const path = `topology/${encodeURIComponent(topology)}/component/${encodeURIComponent(id)}?window=${encodeURIComponent(window)}`
    + `&sys=${system ? 1 : 0}`;
  // The table of executors, of which there may be thousands, asks for the rows that it shows.
  const api = useApi(path + "&size=1");
  return html`<h1>${id}</h1><${Loaded} api=${api} show=${page => {
    const spout = page.componentType === "spout";
    const figures = spout ? [...sent, ...ended, complete] : [...sent, ...executed, ...ended];
    return html`
      <${Tiles} of=${{ "Type": page.componentType, "Topology": html`<a href=${link("topology", topology)}>${page.name}</a>`,
        "Executors": page.executors, "Tasks": page.tasks }} />
      <${Charts} topology=${topology} component=${id} />
      <div class="row"><${WindowChoice} window=${window} choose=${choose} />
        <label><input type="checkbox" checked=${system} onChange=${event => showSystem(event.target.checked)} /> Storm's own streams</label></div>
      <${Table} title="Figures" rows=${spout ? page.spoutSummary : page.boltStats} columns=${[windowColumn, ...figures]} />
      ${!spout && html`<${Table} title="Input streams" rows=${page.inputStats} columns=${[
        { name: "Component", value: row => row.component,
          show: row => html`<a href=${link("topology", topology, "component", row.component)}>${row.component}</a>` },
        field("Stream", "stream"), ...executed, ...ended]} />`}
      <${Table} title="Output streams" rows=${page.outputStats} columns=${[field("Stream", "stream"), ...sent, ...(spout ? [...ended, complete] : [])]} />
      <${PagedTable} title="Executors" path=${path} list="executorStats" all=${page.total} columns=${[field("Tasks", "id"), field("Host", "host"),
        { name: "Port", sort: "port", value: row => row.port, show: row => workerLink(topology, row.host, row.port) },
        logColumn("workerLogLink"),
        { name: "Profile", sort: "port", value: row => row.port,
          show: row => html`<a href=${link("profile", topology, `${row.host}:${row.port}`, id + row.id)}>Profile</a>` },
        { name: "Uptime", sort: "uptimeSeconds", value: row => row.uptimeSeconds, show: row => row.uptime }, ...figures, ...(spout ? [] : [field("Capacity", "capacity")])]} />
      <${Panel} title="Errors">${page.componentErrors.length === 0 ? html`<p class="faint">None.</p>` : page.componentErrors.map(error => html`
        <details><summary>${new Date(error.errorTime * 1000).toLocaleString()}, ${error.errorHost}:${error.errorPort}:
          ${error.error.split("\n", 1)[0]}</summary>${logLink(error.errorWorkerLogLink, "Log of the worker")}<pre>${error.error}</pre></details>`)}<//>`;
  }} />
  ${api.error && !api.data && html`<${Charts} topology=${topology} component=${id} />`}`;
}
