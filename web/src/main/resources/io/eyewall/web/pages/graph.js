// A topology drawn as a graph, laid out by dagre. The same topology always lies the same.
import { html, useMemo } from "./vendor/standalone.module.js";
import { Graph as Model, layout } from "./vendor/dagre.esm.js";
import { link, whole } from "./parts.js";

const CHAR_PX = 7.4;
const HEIGHT_PX = 46;

/** Where nodes and edges lie: depends on the names and streams only, so that nothing moves while figures change. */
function place(components, shape) {
  const graph = new Model({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 36, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of Object.keys(components).sort()) {
    graph.setNode(id, { width: Math.max(170, id.length * CHAR_PX + 24), height: HEIGHT_PX });
  }
  for (const edge of shape) {
    graph.setEdge(edge.from, edge.to, { width: Math.max(edge.label.length * 6, 140), height: 56, labelpos: "c" }, edge.label);
  }
  layout(graph);
  return graph;
}

function edges(components) {
  return Object.keys(components).sort().flatMap(to => components[to][":inputs"]
    .filter(input => components[input[":component"]])
    .map(input => ({ from: input[":component"], to, stream: input[":stream"], sanitized: input[":sani-stream"], grouping: input[":grouping"],
      label: (input[":stream"] === "default" ? "" : input[":stream"] + " ") + input[":grouping"].replaceAll("_", " ") })));
}

const curve = points => points.map((point, index) => (index === 0 ? "M" : "L") + point.x.toFixed(1) + " " + point.y.toFixed(1)).join(" ");

const brief = ms => ms.toLocaleString("en", { maximumSignificantDigits: ms < 1 ? 2 : 3 });

const pressures = { culprit: "holds others", held: "held" };

export function GraphDrawing({ components, topology, window, pressure, latency }) {
  const states = Object.fromEntries((pressure?.components || []).map(component => [component.id, component.state]));
  const shape = edges(components);
  const graph = useMemo(() => place(components, shape), [JSON.stringify(shape), Object.keys(components).sort().join()]);
  const { width = 0, height = 0 } = graph.graph();
  const times = edge => (latency?.hops || []).find(hop => hop.hop === "emit-to-ack" && hop.from === edge.from && hop.to === edge.to
    && hop.stream === edge.stream)?.percentilesMs;
  const slow = latency?.slowest;
  const isSlow = edge => slow && slow.from === edge.from && slow.to === edge.to && slow.stream === edge.stream;
  const sent = edge => components[edge.from][":stats"]
    .reduce((sum, executor) => sum + (executor[":transferred"]?.[window]?.[edge.sanitized] ?? 0), 0);
  return html`<div class="graph scroll"><svg viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width=${Math.ceil(width)}
      height=${Math.ceil(height)} role="group" aria-label="The components of the topology and the streams between them">
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
      <path d="M0 0L8 4L0 8z" /></marker></defs>
    ${shape.map(edge => {
      const drawn = graph.edge(edge.from, edge.to, edge.label);
      const count = sent(edge);
      const known = times(edge);
      return html`<g class=${isSlow(edge) ? "slow" : ""}><path d=${curve(drawn.points)} marker-end="url(#arrow)"><title>${edge.from} to ${edge.to},
        stream ${edge.stream}, ${edge.grouping}</title></path>
        <text class="small" x=${drawn.x} y=${drawn.y - 4} text-anchor="middle">${edge.label}</text>
        <text class="small" x=${drawn.x} y=${drawn.y + 13} text-anchor="middle">${whole(count)}</text>
        ${known && html`<text class="small" x=${drawn.x} y=${drawn.y + 26} text-anchor="middle">${
          `p50 ${brief(known["50"])}, p99 ${brief(known["99"])} ms`}</text>`}
        ${isSlow(edge) && html`<text class="small bad" x=${drawn.x} y=${drawn.y + (known ? 39 : 26)} text-anchor="middle">slowest: ${slow.hop}</text>`}</g>`;
    })}
    ${Object.keys(components).sort().map(id => {
      const node = graph.node(id);
      const component = components[id];
      const busy = component[":type"] === "bolt" ? Math.min(1, component[":capacity"]) : 0;
      return html`<a href=${link("topology", topology, "component", id)}><g class="node ${component[":type"]} ${states[id] || ""}"
          transform="translate(${node.x - node.width / 2} ${node.y - node.height / 2})">
        <rect width=${node.width} height=${node.height} rx="7" />
        ${busy > 0.01 && html`<rect class="busy" x="1.5" y=${node.height - 6} width=${(node.width - 3) * busy} height="4.5" />`}
        <text x=${node.width / 2} y="20" text-anchor="middle">${id}</text>
        <text class="small" x=${node.width / 2} y="35" text-anchor="middle">${component[":type"] === "bolt"
          ? `capacity ${component[":capacity"].toFixed(3)}` : "spout"}${pressures[states[id]] && ` · ${pressures[states[id]]}`}</text></g></a>`;
    })}
  </svg></div>
  <p class="faint">Numbers are tuples that went over a stream in the window; p50 and p99 the time from the
    emit until the receiver acked the tuple. The stream whose tuples wait or take longest is marked with that hop. A bar at the foot of a bolt is its capacity: the share of the
    last ten minutes in which it executed. A component that holds others has full queues although nobody behind it has; those that it keeps
    from sending are held.</p>`;
}
