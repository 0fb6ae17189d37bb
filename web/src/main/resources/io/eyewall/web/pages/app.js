// Chooses the page by the part of the address behind the #, and light or dark.
import { html, render, useEffect, useState } from "./vendor/standalone.module.js";
import { Loaded, link, openSession } from "./parts.js";
import { ClusterPage, OwnerPage, SupervisorPage } from "./cluster.js";
import { TopologyPage } from "./topology.js";
import { ComponentPage } from "./component.js";
import { LogsPage } from "./logs.js";
import { WorkerPage } from "./places.js";
import { ProfilePage } from "./profile.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

function theme() {
  return localStorage.getItem("theme") || (dark.matches ? "dark" : "light");
}

function parts() {
  return location.hash.replace(/^#\/?/, "").split("/").filter(part => part).map(decodeURIComponent);
}

function page([kind, first, second, third]) {
  switch (kind) {
    case undefined: return html`<${ClusterPage} />`;
    case "topology": return second === "component" ? html`<${ComponentPage} key=${first + " " + third} topology=${first} id=${third} />`
      : html`<${TopologyPage} key=${first} id=${first} />`;
    case "supervisor": return html`<${SupervisorPage} title=${"Supervisor " + first} query=${"id=" + encodeURIComponent(first)} />`;
    case "host": return html`<${SupervisorPage} title=${"Host " + first} query=${"host=" + encodeURIComponent(first)} />`;
    case "owner": return html`<${OwnerPage} owner=${first} />`;
    case "logs": return html`<${LogsPage} key=${first + " " + second} topology=${first} text=${second} />`;
    case "worker": return html`<${WorkerPage} key=${first + " " + second} topology=${first} worker=${second} />`;
    case "profile": return html`<${ProfilePage} key=${first + " " + second} topology=${first} worker=${second} executor=${third} />`;
    default: return html`<p>There is no such page. <a href="#/">Go to the cluster.</a></p>`;
  }
}

function App({ session }) {
  const [where, go] = useState(parts());
  const [colours, setColours] = useState(theme());
  useEffect(() => {
    const change = () => { go(parts()); scrollTo(0, 0); };
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  useEffect(() => { document.documentElement.dataset.theme = colours; }, [colours]);
  useEffect(() => { document.title = [where[where.length - 1], session.title].filter(text => text).join(" · "); }, [where]);
  const other = colours === "dark" ? "light" : "dark";
  return html`<header>
      <a class="brand" href="#/"><img src="icon.svg" alt="" />${session.title || "Storm"}</a>
      <nav aria-label="Where you are"><a href="#/">Cluster</a>${where[0] === "topology" && html` / <a
        href=${link("topology", where[1])}>${where[1]}</a>`}${where[2] === "component" && html` / ${where[3]}`}</nav>
      ${session.user && html`<span class="faint">${session.user}</span>`}
      <button onClick=${() => { localStorage.setItem("theme", other); setColours(other); }}>${other === "dark" ? "Dark" : "Light"}</button>
    </header>
    <main>${page(where)}</main>`;
}

document.documentElement.dataset.theme = theme();
const root = document.getElementById("app");
openSession().then(session => render(html`<${App} session=${session} />`, root),
  failure => render(html`<main><${Loaded} api=${{ error: failure.message }} /></main>`, root));
