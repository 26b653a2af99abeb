// What the tables cannot do by themselves: sort, switch, weigh, copy. Nothing
// here draws a figure that the page does not already hold.
"use strict";
(function () {
  const all = (s, e) => Array.from((e || document).querySelectorAll(s));
  const one = (s, e) => (e || document).querySelector(s);
  document.documentElement.classList.add("on");

  // Sorting: every column head without data-no-sort becomes a button.
  const value = (row, i) => {
    const c = row.cells[i], v = c.getAttribute("data-v");
    return v === null ? c.textContent.trim() : Number(v);
  };
  for (const table of all("table[data-sort]")) {
    all("thead th", table).forEach((th, i) => {
      if (th.hasAttribute("data-no-sort")) return;
      const b = document.createElement("button");
      b.type = "button";
      b.append(...th.childNodes);
      th.append(b);
      b.addEventListener("click", () => {
        const up = th.getAttribute("aria-sort") !== "ascending";
        all("thead th", table).forEach((h) => h.removeAttribute("aria-sort"));
        th.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = all("tbody tr", table);
        rows.sort((x, y) => {
          const a = value(x, i), b = value(y, i);
          const d = typeof a === "number" ? a - b : a.localeCompare(b);
          return up ? d : -d;
        });
        one("tbody", table).append(...rows);
      });
    });
  }

  // Operations and modes.
  const panels = all("[data-panel]"), tabs = all("[data-op]"), modes = one("#modes");
  const press = (group, on) => group.forEach((b) => b.setAttribute("aria-pressed", String(b === on)));
  let mode = "fresh";
  const showMode = (panel) => {
    const rows = all("tbody tr", panel);
    const have = [...new Set(rows.map((r) => r.dataset.mode))].sort((a, b) => (b === "fresh") - (a === "fresh"));
    if (mode !== "all" && !have.includes(mode)) mode = have.includes("fresh") ? "fresh" : "all";
    const buttons = [...have, "all"].map((m) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = m === "all" ? "all modes" : m;
      b.addEventListener("click", () => { mode = m; showMode(panel); });
      b.setAttribute("aria-pressed", String(m === mode));
      return b;
    });
    modes.replaceChildren(...buttons);
    rows.forEach((r) => { r.hidden = mode !== "all" && r.dataset.mode !== mode; });
  };
  const showOp = (op) => {
    panels.forEach((p) => { p.hidden = p.dataset.panel !== op; });
    press(tabs, tabs.find((b) => b.dataset.op === op));
    showMode(panels.find((p) => p.dataset.panel === op));
  };
  tabs.forEach((b) => b.addEventListener("click", () => showOp(b.dataset.op)));
  if (tabs.length) showOp(tabs[0].dataset.op);

  // follow calls show whenever an input of the form changes. A reset shows its values before its click is over: the
  // page never has new inputs beside old figures.
  const follow = (form, show) => {
    form.addEventListener("input", show);
    one("button[type=reset]", form).addEventListener("click", (e) => { e.preventDefault(); form.reset(); show(); });
    form.addEventListener("submit", (e) => e.preventDefault());
  };

  // Weights: the weighted geometric mean of each codec's ratios to the baseline.
  const form = one("#weights"), table = one("#rank-table");
  if (form && table) {
    const body = one("tbody", table), say = one(".weights-say", form);
    const measured = all("tr", body);
    const places = measured.map((r) => r.cells[0].innerHTML);
    const base = measured.find((r) => r.dataset.base === "1");
    const inputs = all("input", form);
    // A count of zero allocations is half of one, so that its ratio exists.
    const cost = (row, key) => key === "allocs" ? Math.max(Number(row.dataset[key]), 0.5) : Number(row.dataset[key]);
    const rank = () => {
      const weights = inputs.map((i) => [i.name, Number(i.value)]);
      inputs.forEach((i) => { i.nextElementSibling.textContent = i.value; });
      const sum = weights.reduce((s, w) => s + w[1], 0);
      const same = inputs.every((i) => i.value === i.defaultValue);
      all("thead th", table).forEach((h) => h.removeAttribute("aria-sort"));
      if (same || sum === 0) {
        measured.forEach((r, i) => { r.cells[0].innerHTML = places[i]; });
        body.append(...measured);
        say.textContent = sum === 0 ? "All weights are zero: the measured ranking stands." : "";
        return;
      }
      const score = new Map();
      for (const r of measured) {
        if (r.dataset.ranked !== "1") continue;
        let s = 0;
        for (const [key, w] of weights) {
          if (!w) continue;
          const reference = base ? cost(base, key) : 1;
          const c = cost(r, key);
          s += c > 0 && reference > 0 ? w / sum * Math.log(reference / c) : -1e9 * w;
        }
        score.set(r, s);
      }
      const ranked = [...score.keys()].sort((a, b) => score.get(b) - score.get(a));
      ranked.forEach((r, i) => { r.cells[0].textContent = String(i + 1); });
      body.append(...ranked, ...measured.filter((r) => !score.has(r)));
      if (ranked.length) {
        const times = Math.exp(score.get(ranked[0]));
        say.textContent = "With these weights: " + ranked.slice(0, 3).map((r) => r.dataset.codec).join(", then ") +
          ". The first is " + times.toFixed(times < 10 ? 2 : 1) + "× encoding/json, weighted. Ties are not judged here.";
      }
    };
    follow(form, rank);
  }

  // Capacity: the same figures at the reader's load and prices.
  const load = one("#capacity-form"), costs = one("#capacity-table");
  if (load && costs) {
    const decimal = (b) => {
      for (const [u, n] of [["TB", 1e12], ["GB", 1e9], ["MB", 1e6]]) if (b >= n) return (b / n).toFixed(1) + " " + u;
      return (b / 1e3).toFixed(1) + " kB";
    };
    const put = (cell, v, text) => { cell.dataset.v = v; cell.textContent = text; };
    const figure = () => {
      const [rate, core, gb] = ["rate", "core", "gb"].map((n) => Math.max(0, Number(load.elements[n].value) || 0));
      for (const r of all("tbody tr", costs)) {
        const cores = rate * r.dataset.ns / 1e9, day = rate * 86400 * r.dataset.bytes, month = cores * 730 * core + day * 730 / 24 / 1e9 * gb;
        put(r.cells[3], cores, String(Number(cores.toPrecision(3))));
        put(r.cells[4], day, decimal(day));
        put(r.cells[5], month, month.toFixed(0).replace(/\B(?=(\d{3})+$)/g, month >= 1e4 ? "," : ""));
      }
    };
    follow(load, figure);
  }

  // Copying the command, where the browser allows it.
  if (navigator.clipboard) {
    all("pre.cmd").forEach((pre) => {
      const text = pre.textContent, b = document.createElement("button");
      b.type = "button";
      b.className = "copy";
      b.textContent = "Copy";
      b.addEventListener("click", () => navigator.clipboard.writeText(text).then(
        () => { b.textContent = "Copied"; }, () => { b.textContent = "Press Ctrl-C"; }));
      pre.append(b);
    });
  }
})();
