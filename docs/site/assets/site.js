// Theme, versions, copying of code, the place in a page, and the search box. The site is complete without this script.
const root = document.body.dataset.root, version = document.body.dataset.version;
const $ = (query, within = document) => within.querySelector(query);
const $$ = (query, within = document) => [...within.querySelectorAll(query)];

$("[data-theme-switch]").onclick = () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const theme = dark ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("zmy-theme", theme); } catch { /* it holds for this page */ }
};

// versions.js, beside the folders of the versions, sets window.zmyVersions: folder → the pages that it has.
const select = $("select.versions");
if (window.zmyVersions) {
  for (const v of window.zmyVersions) select.add(new Option(v.name, v.name, false, v.name === version));
  const here = document.body.dataset.page;
  select.onchange = () => {
    const to = window.zmyVersions.find((v) => v.name === select.value);
    location.href = root + "../" + to.name + "/" + (to.pages.includes(here) ? here : "index.html");
  };
  select.hidden = false;
}

for (const pre of $$(".code pre")) {
  const box = pre.closest(".code"), button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.setAttribute("aria-label", "Copy");
  button.innerHTML = '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"><path d="M9 9h11v11H9zM5 15H4V4h11v1"/></svg>';
  button.onclick = async () => {
    await navigator.clipboard.writeText(pre.textContent.replace(/\n$/, ""));
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1200);
  };
  box.append(button);
}

// The list of pages is open on wide screens, where it is a column.
const side = $(".side"), wide = matchMedia("(min-width: 801px)");
if (side) {
  const fit = () => { side.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
}

// The contents show the section that is being read.
const entries = new Map($$(".toc a").map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
if (entries.size) {
  const headings = [...entries.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    let now = headings[0];
    for (const h of headings) if (h.getBoundingClientRect().top < 120) now = h;
    for (const [id, a] of entries) a.classList.toggle("seen", id === now.id);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

const dialog = $("dialog.search"), input = $("input", dialog), list = $("ol", dialog), none = $(".none", dialog);
let search;

function load(name) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: root + name, onload: done, onerror: failed });
    document.head.append(script);
  });
}

async function open() {
  dialog.showModal();
  input.select();
  if (search) return;
  await Promise.all([load("minisearch.js"), load("search-index.js")]);
  search ||= makeSearch(window.MiniSearch, window.zmyIndex);
  show();
}

// excerpt is the text around the first of the terms, with all of them marked.
function excerpt(text, terms) {
  const found = terms.map((t) => text.toLowerCase().indexOf(t)).filter((i) => i >= 0);
  const from = Math.max(0, (found.length ? Math.min(...found) : 0) - 50);
  const p = document.createElement("p");
  const cut = (from ? "… " : "") + text.slice(from, from + 170) + (from + 170 < text.length ? " …" : "");
  const any = terms.map((t) => t.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  for (const [i, part] of cut.split(any ? new RegExp("(" + any + ")", "iu") : /$^/).entries()) {
    const node = document.createElement(i % 2 ? "mark" : "span");
    node.textContent = part;
    p.append(node);
  }
  return p;
}

function show() {
  const found = search && input.value.trim() ? search(input.value) : [];
  list.replaceChildren(...found.map(({ title, heading, address, text, terms }, i) => {
    const li = document.createElement("li"), a = document.createElement("a"), b = document.createElement("b"), in_ = document.createElement("i");
    a.href = root + address;
    a.className = i ? "" : "on";
    a.onclick = () => dialog.close();
    b.textContent = heading || title;
    in_.textContent = heading ? " · " + title : "";
    a.append(b, in_, excerpt(text, terms));
    li.append(a);
    return li;
  }));
  none.hidden = !search || found.length > 0 || !input.value.trim();
}

input.oninput = show;
dialog.onclick = (e) => { if (e.target === dialog) dialog.close(); };
dialog.onkeydown = (e) => {
  const links = $$("a", list), at = links.findIndex((a) => a.classList.contains("on"));
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (step && links.length) {
    e.preventDefault();
    const next = links[(at + step + links.length) % links.length];
    for (const a of links) a.classList.toggle("on", a === next);
    next.scrollIntoView({ block: "nearest" });
  } else if (e.key === "Enter") {
    e.preventDefault();
    links[at]?.click();
  }
};
for (const b of $$("[data-search]")) b.onclick = open;
addEventListener("keydown", (e) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
  if ((e.key === "/" && !typing && !dialog.open) || (e.key === "k" && (e.ctrlKey || e.metaKey))) {
    e.preventDefault();
    open();
  }
});
