// Figures of experiments: tabs between them, series that come and go, flame graphs.
"use strict";
(function () {
  const all = (s, e) => Array.from((e || document).querySelectorAll(s));
  const one = (s, e) => (e || document).querySelector(s);
  const button = (text, act) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", act);
    return b;
  };

  // Many figures: one at a time, or all. Some are shown together with the one before.
  for (const box of all("[data-tabs]")) {
    const tabs = [], bar = document.createElement("div");
    for (const f of all(":scope > figure", box)) {
      if ("beside" in f.dataset) tabs.at(-1).push(f);
      else tabs.push([f]);
    }
    bar.className = "tabs figtabs";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Figures");
    const show = (pick) => {
      tabs.forEach((figs, i) => figs.forEach((f) => { f.hidden = pick >= 0 && i !== pick; }));
      all("button", bar).forEach((b, i) => b.setAttribute("aria-pressed", String(i === (pick < 0 ? tabs.length : pick))));
      box.classList.toggle("single", pick >= 0 && tabs[pick].length === 1);
    };
    tabs.forEach((figs, i) => bar.append(button(figs.map((f) => f.dataset.title).join(" · "), () => show(i))));
    bar.append(button("all", () => show(-1)));
    box.before(bar);
    show(0);
  }

  // A click on a series' name hides it or brings it back.
  for (const keys of all("[data-keys]")) {
    const svg = one("svg", keys.parentElement);
    for (const li of all("li", keys)) {
      const g = one(`g[data-s="${li.dataset.s}"]`, svg), b = button("", () => {
        const on = b.getAttribute("aria-pressed") !== "true";
        b.setAttribute("aria-pressed", String(on));
        g.classList.toggle("gone", !on);
      });
      b.append(...li.childNodes);
      b.setAttribute("aria-pressed", "true");
      b.addEventListener("mouseenter", () => { svg.classList.add("dim"); g.classList.add("lit"); });
      b.addEventListener("mouseleave", () => { svg.classList.remove("dim"); g.classList.remove("lit"); });
      li.append(b);
    }
  }

  // Flame graphs: the nested lists are laid out by the style sheet; a zoom widens a
  // frame and its callers and hides what stands beside them.
  for (const box of all(".flame")) {
    const frames = all(".frames li", box), list = one(".frames", box);
    const label = (li) => li.firstElementChild, share = (li) => label(li).nextElementSibling.textContent;
    const say = document.createElement("p"), found = document.createElement("span");
    say.className = "flame-say";
    found.className = "u";
    found.setAttribute("role", "status");
    const tell = (li) => { say.textContent = label(li).textContent + " · " + share(li) + " of all"; };
    const parent = (li) => li.parentElement.closest("li");
    let here = frames[0], zoomed = frames[0];
    const focus = (li) => {
      if (!li) return;
      label(here).tabIndex = -1;
      here = li;
      label(li).tabIndex = 0;
      label(li).focus();
    };
    const zoom = (li) => {
      zoomed = li;
      frames.forEach((f) => f.classList.remove("open", "beside"));
      for (let f = li; f; f = parent(f)) {
        f.classList.add("open");
        for (const o of f.parentElement.children) if (o !== f) o.classList.add("beside");
      }
      reset.disabled = li === frames[0];
      tell(li);
    };
    const reset = button("Reset zoom", () => zoom(frames[0]));
    const asList = button("As a list", () => {
      const on = box.classList.toggle("list");
      asList.setAttribute("aria-pressed", String(on));
    });
    asList.setAttribute("aria-pressed", "false");
    const search = document.createElement("input");
    search.type = "search";
    search.placeholder = "Search functions";
    search.setAttribute("aria-label", "Search functions");
    search.addEventListener("input", () => {
      const text = search.value.trim().toLowerCase();
      let sum = 0, n = 0;
      for (const li of frames) {
        const hit = text !== "" && label(li).textContent.toLowerCase().includes(text);
        li.classList.toggle("hit", hit);
        if (!hit) continue;
        n++;
        let inner = false; // inside a frame that was counted already
        for (let f = parent(li); f && !inner; f = parent(f)) inner = f.classList.contains("hit");
        if (!inner) sum += parseFloat(share(li));
      }
      box.classList.toggle("searching", text !== "");
      found.textContent = text === "" ? "" : n + (n === 1 ? " frame, " : " frames, ") + sum.toFixed(1) + "% of all";
    });
    const bar = document.createElement("div");
    bar.className = "controls";
    bar.append(search, found, reset, asList);
    list.before(bar, say);
    for (const li of frames) {
      const l = label(li);
      l.tabIndex = -1;
      l.setAttribute("role", "button");
      l.title = l.textContent + " · " + share(li) + " of all";
    }
    label(frames[0]).tabIndex = 0;
    list.addEventListener("click", (e) => {
      const li = e.target.closest("li");
      if (li && e.target === label(li)) { focus(li); zoom(li); }
    });
    list.addEventListener("mouseover", (e) => { const li = e.target.closest("li"); if (li) tell(li); });
    list.addEventListener("mouseleave", () => tell(zoomed));
    list.addEventListener("keydown", (e) => {
      const inner = one(":scope > ul > li", here);
      const to = { ArrowDown: inner, ArrowUp: parent(here), ArrowRight: here.nextElementSibling, ArrowLeft: here.previousElementSibling };
      if (e.key in to) { e.preventDefault(); focus(to[e.key]); tell(here); }
      if (e.key === "Enter" || e.key === " ") { e.preventDefault(); zoom(here); }
      if (e.key === "Escape") zoom(frames[0]);
    });
    zoom(frames[0]);
  }
})();
