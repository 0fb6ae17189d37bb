// The pages about the cluster as a whole: overview, a Supervisor, an owner.
import { html } from "./vendor/standalone.module.js";
import { Configuration, Loaded, PagedTable, State, Table, Tiles, field, link, useApi, whole } from "./parts.js";
import { logColumn } from "./logs.js";

/** A worker, as a link to its page. */
export const workerLink = (topology, host, port) => html`<a href=${link("worker", topology, `${host}:${port}`)}>${port}</a>`;

const topologyColumns = (resources, levels) => [
  { name: "Name", sort: "name", value: row => row.name, show: row => html`<a href=${link("topology", row.id)}>${row.name}</a>` },
  { name: "Owner", sort: "owner", value: row => row.owner, show: row => html`<a href=${link("owner", row.owner)}>${row.owner}</a>` },
  { name: "Status", sort: "status", value: row => row.status, show: row => html`<${State} of=${row.status} />` },
  ...(levels?.size ? [{ name: "Service level", sort: "name", value: row => levels.get(row.name) || "", show: row => levels.has(row.name)
    && html`<${State} of=${levels.get(row.name)} />` }] : []),
  { name: "Uptime", sort: "uptimeSeconds", value: row => row.uptimeSeconds, show: row => row.uptime },
  field("Workers", "workersTotal"), field("Executors", "executorsTotal"), field("Tasks", "tasksTotal"),
  field("Replicas", "replicationCount"),
  field("Memory, MB", "assignedTotalMem"),
  ...(resources ? [field("CPU, %", "assignedCpu")] : []),
  field("Scheduler", "schedulerInfo", { wide: true, show: row => row.schedulerInfo })];

const supervisorColumns = [
  { name: "Host", value: row => row.host, show: row => html`<a href=${link("supervisor", row.id)}>${row.host}</a>` },
  field("Id", "id"),
  { name: "Uptime", value: row => row.uptimeSeconds, show: row => row.uptime },
  field("Slots", "slotsTotal"), field("Used", "slotsUsed"),
  field("Memory, MB", "totalMem"), field("Used, MB", "usedMem"), field("CPU, %", "totalCpu"), field("Used, %", "usedCpu"),
  logColumn("logLink"),
  { name: "Blacklisted", value: row => row.blacklisted ? "yes" : "no" },
  { name: "Version", value: row => row.version, show: row => row.version }];

export const workerColumns = [
  { name: "Host", sort: "host", value: row => row.host, show: row => html`<a href=${link("supervisor", row.supervisorId)}>${row.host}</a>` },
  { name: "Port", sort: "port", value: row => row.port, show: row => workerLink(row.topologyId, row.host, row.port) },
  { name: "Topology", sort: "topologyName", value: row => row.topologyName, show: row => html`<a href=${link("topology", row.topologyId)}>${row.topologyName}</a>` },
  { name: "Uptime", sort: "uptimeSeconds", value: row => row.uptimeSeconds, show: row => row.uptime },
  logColumn("workerLogLink"),
  { name: "Profile", sort: "port", value: row => row.port,
    show: row => html`<a href=${link("profile", row.topologyId, `${row.host}:${row.port}`)}>Profile</a>` },
  field("Executors", "executorsTotal"),
  field("Heap, MB", "assignedMemOnHeap"), field("Off heap, MB", "assignedMemOffHeap"), field("CPU, %", "assignedCpu"),
  { name: "Tasks", sort: "componentNumTasks", value: row => Object.entries(row.componentNumTasks || {}).map(([name, tasks]) => `${name}: ${tasks}`).join(", "), wide: true }];

export function ClusterPage() {
  const api = useApi("cluster/summary", "nimbus/summary", "supervisor/summary", "cluster/configuration");
  // By itself, so that the page needs no scheduler that knows of service levels.
  const levels = new Map((useApi("slo/summary").data?.[0].topologies || []).map(one => [one.name, one.state]));
  return html`<h1>Cluster</h1><${Loaded} api=${api} show=${(cluster, nimbuses, supervisors, configuration) => html`
    <${Tiles} of=${{
      "Storm": cluster.stormVersion, "Supervisors": cluster.supervisors, "Topologies": whole(cluster.topologies),
      "Slots used": `${cluster.slotsUsed} of ${cluster.slotsTotal}`, "Executors": whole(cluster.executorsTotal),
      "Tasks": whole(cluster.tasksTotal), "Memory assigned": `${Math.round(cluster.memAssignedPercentUtil)} %`,
      "CPU assigned": `${Math.round(cluster.cpuAssignedPercentUtil)} %` }} />
    <${PagedTable} title="Topologies" path="topology/summary" list="topologies" all=${cluster.topologies} columns=${topologyColumns(cluster.schedulerDisplayResource, levels)}
      empty="No topology runs. Submit one with storm jar." />
    <${Table} title="Supervisors" rows=${supervisors.supervisors} columns=${supervisorColumns} empty="No Supervisor has reported to Nimbus." />
    <${Table} title="Nimbus" rows=${nimbuses.nimbuses} columns=${[field("Host", "host"),
      { name: "Port", value: row => row.port, show: row => row.port },
      { name: "Status", value: row => row.status, show: row => html`<${State} of=${row.status} />` },
      logColumn("nimbusLogLink"),
      { name: "Uptime", value: row => row.nimbusUpTimeSeconds, show: row => row.nimbusUpTime },
      { name: "Version", value: row => row.version, show: row => row.version }]} />
    <${Configuration} of=${configuration} />`} />`;
}

export function SupervisorPage({ query, title }) {
  const api = useApi("supervisor?" + query);
  return html`<h1>${title}</h1><${Loaded} api=${api} show=${page => html`
    <${Table} title="Supervisors" rows=${page.supervisors} columns=${supervisorColumns} empty="Nimbus knows no such Supervisor." />
    <${Table} title="Workers" rows=${page.workers} columns=${workerColumns} />`} />`;
}

export function OwnerPage({ owner }) {
  const api = useApi("owner-resources/" + encodeURIComponent(owner));
  return html`<h1>Owner ${owner}</h1><${Loaded} api=${api} show=${page => html`
    <${Tiles} of=${{ "Topologies": page.totalTopologies, "Workers": page.totalWorkers, "Executors": page.totalExecutors,
      "Memory, MB": whole(page.totalMemoryUsage), "Memory guaranteed, MB": whole(page.memoryGuarantee),
      "CPU, %": whole(page.totalCpuUsage), "CPU guaranteed, %": whole(page.cpuGuarantee) }} />
    <${Table} title="Topologies" rows=${page.topologies} columns=${topologyColumns(page.schedulerDisplayResource)} />`} />`;
}
