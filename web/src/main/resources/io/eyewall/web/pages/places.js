// Where a topology runs: hosts, their workers and what each of them runs. And one worker.
import { html, useState } from "./vendor/standalone.module.js";
import { Loaded, Panel, Table, Tiles, field, link, useApi, whole } from "./parts.js";
import { Charts } from "./charts.js";
import { logLink } from "./logs.js";

/** So many workers are drawn. */
export const MAX_WORKERS = 200;

const byHost = workers => [...new Set(workers.map(worker => worker.host))].sort()
  .map(host => [host, workers.filter(worker => worker.host === host).sort((a, b) => a.port - b.port)]);

/** Hosts with workers with components; a click on a component shows where else it runs. `all` is the number of workers that there are. */
export function Places({ workers, all, topology }) {
  const [chosen, choose] = useState(null);
  if (workers.length === 0) {
    return null;
  }
  return html`<${Panel} title="Where it runs">
    <p class="faint">Each component with its number of tasks in a worker. A click on one marks it in all workers.
      ${all > workers.length && ` These are ${workers.length} of ${whole(all)} workers; the table has all.`}</p>
    <div class="places">${byHost(workers).map(([host, here]) => html`<section class="host"><h3><a href=${link("host", host)}>${host}</a></h3>
      ${here.map(worker => html`<div class="worker"><a href=${link("worker", topology, `${host}:${worker.port}`)}>${worker.port}</a>
        ${Object.entries(worker.componentNumTasks || {}).sort().map(([name, tasks]) => html`
          <button class=${name === chosen ? "primary" : ""} aria-pressed=${name === chosen}
            onClick=${() => choose(name === chosen ? null : name)}>${name} ${tasks}</button>`)}</div>`)}</section>`)}</div><//>`;
}

/** The address of a topology with the workers of one host, HOST:PORT. */
export const withWorkersBeside = (topology, worker) =>
  `topology/${encodeURIComponent(topology)}?size=1000&filter=${encodeURIComponent(worker.replace(/:\d+$/, ""))}`;

/** What a worker runs and uses. */
export function WorkerPage({ topology, worker }) {
  const api = useApi(withWorkersBeside(topology, worker));
  return html`<h1>${worker}</h1><p><a href=${link("topology", topology)}>${topology}</a></p>
    <${Loaded} api=${api} show=${page => {
      const found = page.workers.find(one => `${one.host}:${one.port}` === worker);
      const rows = Object.entries(found?.componentNumTasks || {}).map(([id, tasks]) => ({ id, tasks }));
      return html`${found ? html`<div class="row">${logLink(found.workerLogLink)}
          <a href=${link("profile", topology, worker)}>Profile</a><a href=${link("supervisor", found.supervisorId)}>Host</a></div>
        <${Tiles} of=${{ "Uptime": found.uptime, "Executors": found.executorsTotal, "Heap assigned, MB": whole(found.assignedMemOnHeap),
          "CPU assigned, %": whole(found.assignedCpu) }} />` : html`<p>It does not run now.</p>`}
      <${Charts} topology=${topology} worker=${worker} />
      ${found && html`<${Table} title="Runs" rows=${rows} columns=${[{ name: "Component", value: row => row.id,
        show: row => html`<a href=${link("topology", topology, "component", row.id)}>${row.id}</a>` }, field("Tasks", "tasks")]} />`}`;
    }} />
    ${api.error && !api.data && html`<${Charts} topology=${topology} worker=${worker} />`}`;
}
