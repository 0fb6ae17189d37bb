// A worker that all pages of a browser share: follows what happens to the topologies that visible pages show, and tells these pages. Browsers
// have six connections to a server for all of their pages together, so that this one takes few of them; a page whose topology is not
// followed hears nothing, and asks by itself as it does anyway.
const MAX_FOLLOWED = 3;
const SILENT_MS = 30000;

// By their ports: what they show, and when they said so.
const pages = new Map();
const streams = new Map();

function follow(topology) {
  const stream = new EventSource(`api/v1/topology/${encodeURIComponent(topology)}/events`);
  stream.onmessage = () => pages.forEach((page, port) => page.topology === topology && port.postMessage("happened"));
  // Refused for good, as when the topology is gone: the next round tries it again.
  stream.onerror = () => stream.readyState === EventSource.CLOSED && streams.delete(topology);
  streams.set(topology, stream);
}

function settle() {
  // A page that has crashed says nothing.
  pages.forEach((page, port) => Date.now() - page.heardAt > SILENT_MS && pages.delete(port));
  const wanted = new Set([...pages.values()].map(page => page.topology));
  for (const [topology, stream] of streams) {
    if (!wanted.has(topology)) {
      stream.close();
      streams.delete(topology);
    }
  }
  for (const topology of wanted) {
    if (!streams.has(topology) && streams.size < MAX_FOLLOWED) {
      follow(topology);
    }
  }
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: topology }) => {
    if (topology) {
      pages.set(port, { topology, heardAt: Date.now() });
    } else {
      pages.delete(port);
    }
    settle();
  };
};
setInterval(settle, SILENT_MS);
