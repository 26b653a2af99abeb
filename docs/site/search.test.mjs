// Searches the index of a version that was built, as a reader's browser does: node search.test.mjs FOLDER
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const built = process.argv[2];
const page = vm.createContext({});
page.window = page.self = page.globalThis = page;
for (const file of [join(built, "minisearch.js"), join(built, "search-index.js"), new URL("assets/search.js", import.meta.url)]) {
  vm.runInContext(readFileSync(file, "utf8"), page, { filename: String(file) });
}
const search = vm.runInContext("makeSearch(window.MiniSearch, window.zmyIndex)", page);

// Words that a reader types, and a page that is among the first three.
const wanted = {
  "shadow canary": "guide/production.html",
  "AppendZMY": "guide/native.html",
  "noise floor": "guide/lab.html",
  "json-iterator": "guide/migrate-jsoniter.html",
  "zmy breaking": "guide/evolution.html",
  "Last-Event-ID": "guide/sse.html",
  "degrader": "guide/grpc.html",
  "fingerprint": "spec/format.html",
  "Cargo.toml": "guide/rust.html",
  "fingerprnt": "spec/format.html", // typing errors
  "dergader": "guide/grpc.html",
  "编解码器": "zh.html",
};
for (const [query, address] of Object.entries(wanted)) {
  const found = search(query).map((s) => s.address.split("#")[0]);
  const first = [...new Set(found)].slice(0, 3);
  assert.ok(first.includes(address), `${query}: ${address} is not among ${first.join(", ")}`);
}
assert.equal(search("qqxyzzyqq").length, 0, "a word that no page has");
const long = search("canary")[0];
assert.ok(long.title && long.text.length > 100, "a section has a title and its text");
