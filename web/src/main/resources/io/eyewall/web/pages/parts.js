// What all pages share: asking the API, tables, tiles, dialogs.
import { html, useEffect, useRef, useState } from "./vendor/standalone.module.js";

const REFRESH_MS = 10000;
// What another page has just asked for is new enough, except behind an event, about which samplers and streams tell within a second.
const SHARED = { "Cache-Control": "max-age=8" };
const SHARED_AFTER_EVENT = { "Cache-Control": "max-age=1" };
const ASK_MS = 1000;
const MAX_ASKS = 90;
let session = {};

export const windowNames = { "600": "10 minutes", "10800": "3 hours", "86400": "1 day", ":all-time": "All time" };

/** Asks for JSON; throws an Error with the message of the API. */
async function request(path, options) {
  let response;
  try {
    response = await fetch("api/v1/" + path, options);
  } catch (failure) {
    throw new Error("The UI does not answer.");
  }
  const json = await response.json();
  if (!response.ok) {
    throw new Error(json.errorMessage);
  }
  return json;
}

export async function openSession() {
  session = await request("session");
  return session;
}

/** Does an action; `body` is an object or nothing. */
export function post(path, body) {
  return request(path, { method: "POST", headers: { "X-Csrf-Token": session.csrfToken, "Content-Type": "application/json" },
    body: body ? JSON.stringify(body) : "" });
}

/** Asks for JSON until it is ready; throws an Error if that takes too long. */
export async function whenReady(path) {
  for (let left = MAX_ASKS; left > 0; left--) {
    const json = await request(path);
    if (json.ready) {
      return json;
    }
    await new Promise(resolve => setTimeout(resolve, ASK_MS));
  }
  throw new Error("There is no answer yet. The log of Nimbus has the reason.");
}

/** Follows events for all pages of this browser; null in a browser without such workers, whose pages hear of nothing before they ask. */
const follower = globalThis.SharedWorker ? new SharedWorker("events.js") : null;

/** Has everything on the page asked for again as soon as something happens to the topology, while the page is visible. */
export function useEvents(topology) {
  useEffect(() => {
    if (!follower) {
      return undefined;
    }
    const tell = () => follower.port.postMessage(document.hidden ? null : topology);
    const leave = () => follower.port.postMessage(null);
    follower.port.onmessage = () => dispatchEvent(new Event("happened"));
    tell();
    const timer = setInterval(tell, REFRESH_MS);
    document.addEventListener("visibilitychange", tell);
    addEventListener("pagehide", leave);
    return () => { clearInterval(timer); document.removeEventListener("visibilitychange", tell); removeEventListener("pagehide", leave); leave(); };
  }, [topology]);
}

/** What several addresses hold, asked for again and again: {data, error, at, again}. What is known stays when an answer fails. */
export function useApi(...paths) {
  const key = paths.join(" ");
  const [state, setState] = useState({});
  const ask = useRef(null);
  useEffect(() => {
    let over = false;
    ask.current = async headers => {
      try {
        const data = await Promise.all(paths.map(path => request(path, { headers })));
        if (!over) {
          setState({ key, data, at: new Date() });
        }
      } catch (error) {
        if (!over) {
          setState(before => before.key === key ? { ...before, error: error.message } : { key, error: error.message });
        }
      }
    };
    ask.current(SHARED);
    const soon = headers => document.hidden || ask.current(headers);
    const happened = () => soon(SHARED_AFTER_EVENT);
    const timer = setInterval(() => soon(SHARED), REFRESH_MS);
    addEventListener("happened", happened);
    return () => { over = true; clearInterval(timer); removeEventListener("happened", happened); };
  }, [key]);
  return { ...(state.key === key ? state : {}), again: () => ask.current({}) };
}

/** The page once there is something to show; before that, and beside it when an answer fails, what went wrong. */
export function Loaded({ api, show }) {
  return html`
    ${api.error && html`<div class="panel notice" role="alert">${api.error}
      ${api.at && ` What is shown is from ${api.at.toLocaleTimeString()}.`}</div>`}
    ${api.data ? show(...api.data) : !api.error && html`<p class="faint">Loading…</p>`}
    ${api.at && html`<p class="faint">Rendered at ${api.at.toLocaleTimeString()}</p>`}`;
}

export const link = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");

export const whole = value => typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : value ?? "";

export function Tiles({ of }) {
  return html`<div class="tiles">${Object.entries(of).map(([name, value]) => html`
    <div class="tile"><b>${value}</b><span>${name}</span></div>`)}</div>`;
}

export function State({ of }) {
  const kind = /^(ACTIVE|Leader|met)$/.test(of) ? "good" : /^(KILLED|Offline|missed)$/.test(of) ? "bad" : "warn";
  return html`<span class="state ${kind}">${of}</span>`;
}

export function Panel({ title, tools, children }) {
  return html`<section class="panel"><div class="head"><h2>${title}</h2><div class="row">${tools}</div></div>${children}</section>`;
}

const isNumber = value => typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));

/** What all tables look like: rows as they are, with a filter and pages if there are more than fit. `state` is {sort, up, filter, page}. */
function Rows({ title, columns, rows, all, total, tools, empty, state, change }) {
  const most = session.pagination || 20;
  const numeric = columns.map(column => rows.length > 0 && rows.every(row => isNumber(column.value(row))));
  const pages = Math.max(1, Math.ceil(total / most));
  const now = Math.min(state.page, pages - 1);
  const bar = html`${tools}
    ${all > most && html`<input type="search" placeholder="Filter" aria-label=${"Filter " + title} value=${state.filter}
      onInput=${event => change({ ...state, filter: event.target.value, page: 0 })} />`}
    ${pages > 1 && html`<button disabled=${now === 0} onClick=${() => change({ ...state, page: now - 1 })} aria-label="Previous page">‹</button>
      <span>${now + 1} of ${pages}</span>
      <button disabled=${now === pages - 1} onClick=${() => change({ ...state, page: now + 1 })} aria-label="Next page">›</button>`}`;
  return html`<${Panel} title=${all > most ? `${title} (${whole(all)})` : title} tools=${bar}>
    ${all === 0 ? html`<p class="faint">${empty || "None."}</p>` : html`<div class="scroll"><table>
      <thead><tr>${columns.map((column, index) => html`
        <th class=${numeric[index] && !column.show ? "number" : ""} aria-sort=${state.sort !== index ? "none" : state.up ? "ascending" : "descending"}>
          <button onClick=${() => change({ ...state, sort: index, up: state.sort === index ? !state.up : true })}>
            ${column.name}${state.sort === index ? (state.up ? " ▴" : " ▾") : ""}</button></th>`)}</tr></thead>
      <tbody>${rows.map(row => html`<tr>${columns.map((column, index) => html`
        <td class=${column.wide ? "wide" : numeric[index] && !column.show ? "number" : ""}>
          ${column.show ? column.show(row) : whole(column.value(row))}</td>`)}</tr>`)}</tbody>
    </table></div>`}<//>`;
}

/**
 * A table that sorts by a click on a column's name, with a filter and pages if it is long. A column is {name, value(row), show(row), wide,
 * sort}; numbers, also those in strings, are shown on the right and sorted as numbers. With `order={null}` rows stay as they are until a
 * click.
 */
export function Table({ columns, rows, order = 0, ...rest }) {
  const most = session.pagination || 20;
  const [state, change] = useState({ sort: order, up: true, filter: "", page: 0 });
  const text = row => columns.map(column => column.value(row)).join(" ").toLowerCase();
  const found = state.filter ? rows.filter(row => text(row).includes(state.filter.toLowerCase())) : rows;
  const numeric = state.sort !== null && rows.length > 0 && rows.every(row => isNumber(columns[state.sort].value(row)));
  const compare = (a, b) => {
    if (state.sort === null) {
      return 0;
    }
    const [x, y] = [a, b].map(columns[state.sort].value);
    return (numeric ? x - y : String(x ?? "").localeCompare(String(y ?? ""))) * (state.up ? 1 : -1);
  };
  const from = Math.min(state.page, Math.max(0, Math.ceil(found.length / most) - 1)) * most;
  return html`<${Rows} ...${rest} columns=${columns} rows=${[...found].sort(compare).slice(from, from + most)} all=${rows.length}
    total=${found.length} state=${state} change=${change} />`;
}

/**
 * A table of which the server has all rows, `all` of them, in the `list` of an answer; it sends a page. Columns have the field to sort by in
 * `sort`.
 */
export function PagedTable({ path, list, all, columns, ...rest }) {
  const most = session.pagination || 20;
  const [state, change] = useState({ sort: 0, up: true, filter: "", page: 0 });
  const sort = (state.up ? "" : "-") + columns[state.sort].sort;
  const api = useApi(`${path}${path.includes("?") ? "&" : "?"}page=${state.page + 1}&size=${most}&sort=${encodeURIComponent(sort)}&filter=${encodeURIComponent(state.filter)}`);
  const last = useRef(null);
  last.current = api.data?.[0] || last.current;
  return html`${api.error && html`<p class="bad" role="alert">${api.error}</p>`}
    ${last.current && html`<${Rows} ...${rest} columns=${columns} rows=${last.current[list]} all=${all} total=${last.current.total}
      state=${state} change=${change} />`}`;
}

/** A column that shows a field. */
export const field = (name, key, more) => ({ name, value: row => row[key], sort: key, ...more });

/** The column of windows, the shortest first. */
export const windowColumn = { name: "Window", value: row => row.window === ":all-time" ? Infinity : Number(row.window),
  show: row => row.windowPretty };

const shownValue = value => typeof value === "string" ? value : JSON.stringify(value);

/** A configuration, sorted by key. With `topology` it can show only what differs from the cluster's. */
export function Configuration({ of, topology }) {
  const [usual, setUsual] = useState(null);
  const [error, setError] = useState(null);
  const choose = event => event.target.checked
    ? request("cluster/configuration").then(setUsual, failure => setError(failure.message)) : setUsual(null);
  const rows = Object.entries(of).filter(([key, value]) => !usual || shownValue(usual[key]) !== shownValue(value))
    .map(([key, value]) => ({ key, value: shownValue(value), usual: usual && shownValue(usual[key]) }));
  const tools = topology && html`<label><input type="checkbox" onChange=${choose} /> Only what differs from the cluster's</label>
    ${error && html`<span class="bad" role="alert">${error}</span>`}`;
  return html`<${Table} title="Configuration" rows=${rows} tools=${tools} columns=${[field("Key", "key"),
    field("Value", "value", { wide: true, show: row => row.value }),
    ...(usual ? [field("The cluster's", "usual", { wide: true, show: row => row.usual })] : [])]} />`;
}

/** Chooses the window of figures. */
export function WindowChoice({ window, choose }) {
  return html`<label>Window <select value=${window} onChange=${event => choose(event.target.value)}>
    ${Object.entries(windowNames).map(([value, name]) => html`<option value=${value} selected=${value === window}>${name}</option>`)}
  </select></label>`;
}

/**
 * Asks before an action: `question` is {title, text, fields: [{name, label, value}], danger, label, act(values)} or null. Stays open and says
 * why when the action fails, or what `act` returns if that is a text, or {text, label, act} for a second step.
 */
export function Confirmation({ question, done }) {
  const dialog = useRef(null);
  const [values, setValues] = useState({});
  const [error, setError] = useState(null);
  const [outcome, setOutcome] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (question) {
      setOutcome(null);
      setValues(Object.fromEntries((question.fields || []).map(entry => [entry.name, entry.value])));
      setError(null);
      dialog.current.showModal();
    } else {
      dialog.current.close();
    }
  }, [question]);
  const act = async event => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const said = await (outcome?.act || question.act)(values);
      if (typeof said === "string") {
        setOutcome({ text: said });
      } else if (said?.text && said.act) {
        setOutcome(said);
      } else {
        done();
      }
    } catch (failure) {
      setError(failure.message);
    }
    setBusy(false);
  };
  return html`<dialog ref=${dialog} onCancel=${() => done()} aria-label=${question ? question.title : ""}>${question && html`
    <form onSubmit=${act}>
      <h2>${question.title}</h2>
      <p>${question.text}</p>
      ${(question.fields || []).map(entry => html`<label>${entry.label}
        <input name=${entry.name} value=${values[entry.name]}
          onInput=${event => setValues({ ...values, [entry.name]: event.target.value })} /></label>`)}
      ${error && html`<p class="bad" role="alert">${error}</p>`}
      ${outcome && html`<pre role="status">${outcome.text}</pre>`}
      <div class="row">
        ${(!outcome || outcome.act) && html`<button type="submit" class=${question.danger ? "danger" : "primary"} disabled=${busy}>
          ${outcome?.label || question.label || question.title}</button>`}
        <button type="button" onClick=${() => done()}>${outcome ? "Close" : "Cancel"}</button>
      </div>
    </form>`}</dialog>`;
}
