// Searches the logs of a topology's workers on all hosts. Each host has a logviewer of its own, which the browser asks.
import { html, useEffect, useState } from "./vendor/standalone.module.js";
import { Loaded, Panel, Table, field, link, useApi } from "./parts.js";

const AT_A_TIME = 16;
const MAX_MATCHES = 50;

/** A link to a log at its host's logviewer. */
export const logLink = (address, text) => address ? html`<a href=${address} target="_blank" rel="noopener">${text || "Log"}</a>` : "";

/** The column of links to logs. */
export const logColumn = key => ({ name: "Log", sort: key, value: row => row[key], show: row => logLink(row[key]) });

/** What one host has found: rows, or throws an Error that says why not. */
async function searchHost(logviewer, topology, text, archived) {
  const query = new URLSearchParams({ "search-string": text, "num-matches": MAX_MATCHES, "port": "*",
    "search-archived": archived ? "on" : "off" });
  let response;
  try {
    response = await fetch(`${logviewer}/api/v1/deepSearch/${encodeURIComponent(topology)}?${query}`, { credentials: "include" });
  } catch (failure) {
    throw new Error("no answer for this page. Is storm logviewer running there? If you must log in to it, open it once. If this site's"
      + " address is not that of a Nimbus, list it in logviewer.allowed.origins.");
  }
  const json = await response.json();
  if (!response.ok) {
    throw new Error(json.errorMessage);
  }
  return json.flatMap(worker => worker.matches.map(match => ({ ...match, more: worker.nextByteOffset !== undefined })));
}

/** Searches until `over()`, a few hosts at a time; `found` is called with each host's rows or failure. */
async function searchHosts(hosts, ask, found, over) {
  const waiting = [...hosts];
  const next = async () => {
    while (waiting.length > 0 && !over()) {
      const [host, logviewer] = waiting.shift();
      let answer;
      try {
        answer = { host, rows: await ask(logviewer) };
      } catch (failure) {
        answer = { host, logviewer, error: failure.message };
      }
      if (!over()) {
        found(answer);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
}

function Results({ topology, text, archived, hosts }) {
  const [answers, setAnswers] = useState([]);
  useEffect(() => {
    let over = false;
    setAnswers([]);
    searchHosts(hosts, logviewer => searchHost(logviewer, topology, text, archived),
      answer => setAnswers(before => [...before, answer]), () => over);
    return () => { over = true; };
  }, [topology, text, archived]);
  const rows = answers.flatMap(answer => (answer.rows || []).map(row => ({ ...row, host: answer.host })));
  const cut = rows.some(row => row.more);
  return html`
    <p class="faint" role="status">${answers.length} of ${hosts.length} hosts have answered.${cut
      && ` A worker has more than ${MAX_MATCHES} matches, or its log was too long: open the log.`}</p>
    ${answers.filter(answer => answer.error).map(answer => html`<div class="panel notice">${logLink(answer.logviewer, answer.host)}:
      ${answer.error}</div>`)}
    <${Table} title="Found" rows=${rows} empty="Nothing." columns=${[field("Host", "host"),
      { name: "Port", value: row => row.port, show: row => row.port },
      { name: "Log", value: row => row.fileName, show: row => logLink(row.logviewerURL, row.fileName.split("/").pop()) },
      { name: "Text", value: row => row.beforeString + row.matchString + row.afterString, wide: true,
        show: row => html`<pre>${row.beforeString}<mark>${row.matchString}</mark>${row.afterString}</pre>` }]} />`;
}

export function LogsPage({ topology, text }) {
  const [wanted, setWanted] = useState(text || "");
  const [archived, setArchived] = useState(false);
  const api = useApi("supervisor/summary");
  const submit = event => {
    event.preventDefault();
    location.hash = link("logs", topology, wanted);
  };
  return html`<h1>Search logs</h1>
    <p><a href=${link("topology", topology)}>${topology}</a></p>
    <${Panel} title="On all hosts"><form class="row" onSubmit=${submit}>
      <input type="search" required maxlength="256" aria-label="Text" placeholder="Text" value=${wanted}
        onInput=${event => setWanted(event.target.value)} />
      <label><input type="checkbox" checked=${archived} onChange=${event => setArchived(event.target.checked)} /> Older logs, too</label>
      <button class="primary" type="submit">Search</button></form><//>
    <${Loaded} api=${api} show=${page => text && html`<${Results} topology=${topology} text=${text} archived=${archived}
      hosts=${[...new Map(page.supervisors.map(one => [one.host, new URL(one.logLink).origin]))]} />`} />`;
}
