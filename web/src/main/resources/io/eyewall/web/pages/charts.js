// Charts of what a topology, component or worker did before, from the UI's own history. They need no Nimbus.
import { html, useEffect, useRef, useState } from "./vendor/standalone.module.js";
import { Panel, useApi } from "./parts.js";

const { uPlot } = globalThis;
const HEIGHT_PX = 190;
const OLD_SECS = 60;
const DAY_SECS = 86400;

const ranges = { "3600": "1 hour", "21600": "6 hours", "86400": "1 day", "604800": "1 week", "2592000": "30 days" };

const ofTopology = {
  "Tuples per second": { emitted: "Emitted", acked: "Acked", failed: "Failed" },
  "Latency of messages, ms": { latencyP50: "Median", latencyP99: "p99", latencyP999: "p99.9" },
  "Complete latency, mean, ms": { completeLatency: "Complete latency" },
  "Capacity of the busiest bolt": { capacity: "Capacity" },
  "Fullest queue": { queue: "Occupied", backPressure: "Share of time holding senders" },
  "CPU of all workers, cores": { cpu: "Busy cores" },
  "Heap of all workers, MB": { heapUsed: "In use", heapMax: "Limit" },
  "Garbage collection, share of time": { gc: "Worst worker" } };

const ofWorker = {
  "CPU, cores": { cpu: "Busy cores" },
  "Heap, MB": { heapUsed: "In use", heapMax: "Limit" },
  "Garbage collection, share of time": { gc: "Share" } };

const ofComponent = {
  "Tuples per second": { emitted: "Emitted", executed: "Executed", acked: "Acked", failed: "Failed" },
  "Latency, ms": { completeLatency: "Complete latency", executeLatency: "Execute", processLatency: "Process" },
  "Capacity": { capacity: "Capacity" },
  "Fullest queue": { queue: "Occupied", backPressure: "Share of time holding senders" },
  "Executors": { executors: "Executors" } };

const looks = {
  emitted: { colour: "--accent" }, executed: { colour: "--warn" }, acked: { colour: "--good", dash: [8, 4] },
  failed: { colour: "--bad", dash: [2, 3] }, latencyP99: { colour: "--warn", dash: [8, 4] }, latencyP999: { colour: "--bad", dash: [2, 3] },
  backPressure: { colour: "--bad", dash: [2, 3] }, heapMax: { colour: "--bad", dash: [2, 3] }, processLatency: { colour: "--good", dash: [8, 4] } };

const figure = value => value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 3 : 0 });

const marked = { error: "--bad", restart: "--warn", scaling: "--accent", slo: "--accent" };

/** Vertical lines where something happened, in a colour by its kind. */
function drawMarks(plot, marks, colour) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([4, 4]);
  ctx.lineWidth = devicePixelRatio;
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark.time, "x", true));
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      ctx.strokeStyle = colour(marked[mark.kind] || "--faint");
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Without the time before the first sample. */
function known(history) {
  const begins = Object.values(history.metrics).map(values => values.findIndex(value => value !== null)).filter(index => index >= 0);
  const first = begins.length > 0 ? Math.max(0, Math.min(...begins) - 1) : 0;
  return { ...history, times: history.times.slice(first),
    metrics: Object.fromEntries(Object.entries(history.metrics).map(([name, values]) => [name, values.slice(first)])),
    latencyCounts: history.latencyCounts && { ...history.latencyCounts, counts: history.latencyCounts.counts.slice(first) } };
}

/** Times of day, or dates if the axis has days. */
function clock(plot, ticks) {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : 0;
  const form = step >= DAY_SECS ? { month: "short", day: "numeric" }
    : { hour: "2-digit", minute: "2-digit", second: step % 60 === 0 ? undefined : "2-digit", hourCycle: "h23" };
  return ticks.map(tick => new Date(tick * 1000).toLocaleString([], form));
}

function options(width, shown, names, marks) {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
  return {
    width, height: HEIGHT_PX,
    cursor: { drag: { x: false, y: false }, sync: { key: "history" } },
    scales: { y: { range: (plot, least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [{ ...axis, space: 90, values: clock }, { ...axis, size: 64, values: (plot, ticks) => ticks.map(figure) }],
    series: [{ label: "Time", value: (plot, time) => time == null ? "–" : new Date(time * 1000).toLocaleString() },
      ...shown.map(metric => ({ label: names[metric], stroke: colour((looks[metric] || { colour: "--accent" }).colour), width: 1.6,
        dash: looks[metric]?.dash, points: { size: 4 }, value: (plot, value) => figure(value) }))],
    hooks: { draw: [plot => drawMarks(plot, marks.current, colour)] } };
}

/** Where uPlot draws what `make(width)` describes: anew with other colours, and with new data whenever the history has some. */
function Plot({ make, data, history }) {
  const place = useRef(null);
  const plot = useRef(null);
  const latest = useRef(null);
  latest.current = { make, data };
  useEffect(() => {
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(latest.current.make(place.current.clientWidth), latest.current.data, place.current);
    };
    draw();
    const size = new ResizeObserver(() => plot.current.width !== place.current.clientWidth
      && plot.current.setSize({ width: place.current.clientWidth, height: HEIGHT_PX }));
    size.observe(place.current);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => { size.disconnect(); theme.disconnect(); plot.current.destroy(); };
  }, []);
  useEffect(() => plot.current.setData(data), [history]);
  return html`<div class="plot" ref=${place}></div>`;
}

function Chart({ title, names, history }) {
  const marks = useRef([]);
  const shown = Object.keys(names).filter(metric => history.metrics[metric].some(value => value !== null));
  marks.current = history.marks;
  const last = shown.map(metric => `${names[metric]} ${figure(history.metrics[metric].findLast(value => value !== null))}`).join(", ");
  return html`<figure><figcaption>${title} <span class="faint">${last || "none yet"}</span></figcaption>
    <${Plot} key=${shown.join()} make=${width => options(width, shown, names, marks)} history=${history}
      data=${[history.times, ...shown.map(metric => history.metrics[metric])]} /></figure>`;
}

/** The share of each step's messages that took so long, as the strength of a colour. */
function drawHeat(plot, { times, stepSecs, latencyCounts: { boundsMs, counts } }, colour) {
  const { ctx, bbox } = plot;
  const rows = boundsMs.map(bound => Math.round(plot.valToPos(bound, "y", true)));
  ctx.save();
  ctx.fillStyle = colour;
  counts.forEach((step, index) => {
    const all = step?.reduce((sum, count) => sum + count, 0);
    const left = Math.max(bbox.left, Math.round(plot.valToPos(times[index] - stepSecs, "x", true)));
    const right = Math.round(plot.valToPos(times[index], "x", true));
    step?.forEach((count, row) => {
      if (count > 0) {
        ctx.globalAlpha = 0.1 + 0.9 * Math.sqrt(count / all);
        ctx.fillRect(left, rows[row + 1], right - left, rows[row] - rows[row + 1]);
      }
    });
  });
  ctx.restore();
}

/** Round numbers for an axis by powers: few of them. */
function rounds([least, most]) {
  const all = [1, 2, 5].map(first => Array.from({ length: 14 }, (none, power) => first * 10 ** (power - 4))).flat()
    .filter(value => value >= least && value <= most).sort((a, b) => a - b);
  return all.length > 7 ? all.filter(value => Math.abs(Math.log10(value) % 1) < 1e-9) : all;
}

/** How many messages took how long, over time. */
function Heat({ history }) {
  const latest = useRef(null);
  const marks = useRef([]);
  latest.current = history;
  marks.current = history.marks;
  if (history.latencyCounts.boundsMs.length === 0) {
    return null;
  }
  const span = () => [latest.current.latencyCounts.boundsMs[0], latest.current.latencyCounts.boundsMs.at(-1)];
  const make = width => {
    const drawn = options(width, ["latencyP50"], { latencyP50: "Median, ms" }, marks);
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(name).trim();
    drawn.scales = { y: { distr: 3, range: span } };
    Object.assign(drawn.axes[1], { splits: () => rounds(span()), filter: (plot, splits) => splits });
    Object.assign(drawn.series[1], { stroke: colour("--ink"), points: { show: false } });
    drawn.hooks.drawClear = [plot => drawHeat(plot, latest.current, colour("--accent"))];
    return drawn;
  };
  return html`<figure class="heat"><figcaption>Messages by latency, ms <span class="faint">the stronger, the more of them; the line is the median</span></figcaption>
    <${Plot} make=${make} history=${history} data=${[history.times, history.metrics.latencyP50]} /></figure>`;
}

/** How long messages take, by percentile: one line for each component in which they end. The axis is by nines, as 1/(1-p). */
export function Percentiles({ latency }) {
  const place = useRef(null);
  const whole = (latency?.hops || []).filter(hop => hop.hop === "complete");
  const ends = whole.length > 0 ? whole : (latency?.hops || []).filter(hop => hop.hop === "end-to-end");
  const drawn = ends.slice(0, 4);
  const steps = Object.keys(drawn[0]?.percentilesMs || {}).filter(key => key !== "100").sort((a, b) => a - b);
  const data = [steps.map(key => 100 / (100 - key)), ...drawn.map(hop => steps.map(key => hop.percentilesMs[key]))];
  const key = JSON.stringify(data);
  useEffect(() => {
    if (drawn.length === 0) {
      return undefined;
    }
    let plot = null;
    const draw = () => {
      const style = getComputedStyle(document.documentElement);
      const colour = name => style.getPropertyValue(name).trim();
      const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
      plot?.destroy();
      plot = new uPlot({ width: place.current.clientWidth, height: HEIGHT_PX, cursor: { drag: { x: false, y: false } },
        scales: { x: { time: false, distr: 3 }, y: { range: (self, least, most) => [0, most > 0 ? most * 1.1 : 1] } },
        axes: [{ ...axis, splits: () => [2, 4, 10, 100, 1000], filter: (self, splits) => splits,
          values: (self, ticks) => ticks.map(tick => `p${Number((100 - 100 / tick).toPrecision(4))}`) },
        { ...axis, size: 64, values: (self, ticks) => ticks.map(figure) }],
        series: [{ label: "Percentile", value: (self, x) => x == null ? "–" : `p${Number((100 - 100 / x).toPrecision(4))}` },
          ...drawn.map((hop, index) => ({ label: hop.hop === "complete" ? hop.from : hop.to, width: 1.6, points: { size: 4 },
            stroke: colour(["--accent", "--warn", "--good", "--bad"][index]), value: (self, value) => `${figure(value)} ms` }))] },
      data, place.current);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => { theme.disconnect(); plot.destroy(); };
  }, [key]);
  return drawn.length > 0 && html`<${Panel} title="Latency of messages by percentile, ms">
    <p class="faint">${drawn[0].hop === "complete" ? "From the spout's emit to the ack." : "From the spout's emit until the bolt has executed the tuple."}</p>
    <div class="charts"><figure class="percentiles"><div class="plot" ref=${place}></div></figure></div><//>`;
}

/** The charts of a topology, or of one of its components or workers. */
export function Charts({ topology, component, worker }) {
  const [range, choose] = useState("3600");
  const api = useApi(`topology/${encodeURIComponent(topology)}/history?from=-${range}`
    + (component ? "&component=" + encodeURIComponent(component) : worker ? "&worker=" + encodeURIComponent(worker) : ""));
  const choice = html`<label>Range <select onChange=${event => choose(event.target.value)}>
    ${Object.entries(ranges).map(([value, name]) => html`<option value=${value} selected=${value === range}>${name}</option>`)}</select></label>`;
  const history = api.data && known(api.data[0]);
  return html`<${Panel} title="History" tools=${choice}>
    ${api.error && html`<p class="faint">${api.error}</p>`}
    ${!api.error && history && history.ageSecs === null && html`<p class="faint">There is no sample of it yet. The first one comes within ten seconds.</p>`}
    ${history && history.ageSecs > OLD_SECS && html`<p class="warn">The newest sample is from
      ${new Date(history.sampledAt * 1000).toLocaleString()}, ${figure(history.ageSecs)} s ago.</p>`}
    ${history && history.ageSecs !== null && html`<div class="charts">${history.latencyCounts && html`<${Heat} history=${history} />`}
      ${Object.entries(component ? ofComponent : worker ? ofWorker : ofTopology)
      .map(([title, names]) => html`<${Chart} key=${title} title=${title} names=${names} history=${history} />`)}</div>
    ${history.marks.length > 0 && html`<details><summary>What happened, dashed in the charts (${history.marks.length})</summary><ul>
      ${history.marks.map(mark => html`<li class=${{ error: "bad", restart: "warn" }[mark.kind] || ""}>${new Date(mark.time * 1000).toLocaleString()}: ${mark.text}</li>`)}</ul></details>`}`}<//>`;
}
