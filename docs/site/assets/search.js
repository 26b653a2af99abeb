// Search of the site: sections of pages, found by words, beginnings of words and words with a typing error.
// window.zmyIndex is search-index.js, a list of {t: title of the page, h: heading, a: address, x: text}.

// words divides a text into terms. Names such as order.AppendZMY are found as a whole and by their
// parts; Chinese has no spaces, so pairs of characters stand for its words.
function words(text) {
  const all = [];
  for (const name of text.match(/[\p{L}\p{N}_][\p{L}\p{N}_./@-]*/gu) || []) {
    if (/\p{Script=Han}/u.test(name)) {
      for (const run of name.match(/\p{Script=Han}+|[^\p{Script=Han}./@_-]+/gu) || []) {
        if (!/\p{Script=Han}/u.test(run)) { all.push(run); continue; }
        if (run.length === 1) all.push(run);
        for (let i = 0; i + 1 < run.length; i++) all.push(run.slice(i, i + 2));
      }
      continue;
    }
    const parts = name.split(/[./@_-]+/).filter(Boolean);
    if (parts.length > 1) all.push(name.replace(/[./@-]+$/, ""));
    for (const part of parts) {
      all.push(part);
      const humps = part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) || [];
      if (humps.length > 1) all.push(...humps);
    }
  }
  return all;
}

// edits allows longer terms a share of wrong characters. Two that are swapped count as two.
const edits = (share) => (term) => (term.length > 4 ? share : 0);

// makeSearch returns a function from a query to sections, best first. MiniSearch is the library's class.
function makeSearch(MiniSearch, sections) {
  const index = new MiniSearch({
    fields: ["title", "heading", "text"],
    tokenize: words,
    searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: edits(0.2), combineWith: "AND" },
  });
  index.addAll(sections.map(({ t, h, x }, id) => ({ id, title: t, heading: h, text: x })));
  return (query, most = 20) => {
    let found = [];
    for (const options of [{}, { fuzzy: edits(0.34) }, { combineWith: "OR" }]) {
      if (!found.length) found = index.search(query, options);
    }
    return found.slice(0, most).map(({ id, terms }) => {
      const { t, h, a, x } = sections[id];
      return { title: t, heading: h, address: a, text: x, terms };
    });
  };
}
