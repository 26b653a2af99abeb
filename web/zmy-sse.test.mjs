// Holds zmy-sse.js against the vectors of the format in ../spec/vectors, and tries EventStream on an EventSource
// that the test plays. Run by TestScript of package web; by hand: node --test zmy-sse.test.mjs
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { EventStream, List, StructType, Time, bytesOf, types } from "./zmy-sse.js";

const vectors = new URL("../spec/vectors/", import.meta.url);
const schema = readFileSync(new URL("schemas.txt", vectors), "utf8");
const all = types(schema);

// What the module does not read in place.
const opaque = /any|bigint|bigfloat|Actor|Sparse|Ghost/;

function unhex(text) {
  const out = [];
  for (const [, group, times, plain] of text.matchAll(/\(([0-9a-f]*)\)\*(\d+) ?|([0-9a-f]+)/g)) {
    out.push(plain ?? group.repeat(Number(times)));
  }
  return new Uint8Array(Buffer.from(out.join(""), "hex"));
}

function* lines() {
  for (const dir of readdirSync(vectors, { withFileTypes: true })) {
    if (!dir.isDirectory()) continue;
    for (const file of readdirSync(new URL(dir.name + "/", vectors))) {
      for (const line of readFileSync(new URL(`${dir.name}/${file}`, vectors), "utf8").split("\n")) {
        if (line !== "") yield JSON.parse(line);
      }
    }
  }
}

const bits = (size, v) => {
  const d = new DataView(new ArrayBuffer(size));
  size === 4 ? d.setFloat32(0, v) : d.setFloat64(0, v);
  return Buffer.from(d.buffer).toString("hex");
};

// A value as spec/vectors/README.md spells it; undefined is left out.
function spell(v, text) {
  let m;
  if (v === null) return null;
  switch (text) {
    case "float32": return "f32:" + bits(4, v);
    case "float64": return "f64:" + bits(8, v);
    case "complex64": return `c64:${bits(4, v.re)},${bits(4, v.im)}`;
    case "complex128": return `c128:${bits(8, v.re)},${bits(8, v.im)}`;
    case "string": return v;
    case "bytes": case "bytes:json": return Buffer.from(v).toString("hex");
  }
  if (typeof v === "bigint") return v.toString();
  if (v instanceof Time) {
    const nano = String(v.nanoseconds).padStart(9, "0");
    return `${v.seconds}.${nano}` + (text === "time:zone" ? `@${v.zone}` : "");
  }
  if ((m = /^map\[((?:\[\d+\])?[^\]]+)\](.+)$/.exec(text))) return [...v].map(([k, w]) => [spellKey(k, m[1]), m[2] === "Empty" ? null : emptyAsNull(spell(w, m[2]), m[2])]);
  if ((m = /^\?(.+)$/.exec(text))) {
    const s = spell(v, m[1]);
    return longArray.test(m[1]) && zero(s, m[1]) ? "zero" : s;
  }
  if ((m = /^\[\d*\](.+)$/.exec(text))) return [...v].map((e) => emptyAsNull(spell(e, m[1]), m[1]));
  const struct = all[text.replace("inline:", "")];
  if (!struct) return v;
  const out = {};
  for (const f of struct.fields) {
    if (f.name === "-" || opaque.test(f.text)) continue;
    const s = spell(v[f.name], f.text);
    if (!zero(s, f.text)) out[f.name] = s;
  }
  return out;
}

const spellKey = (k, text) => (text.startsWith("[") ? k.split(",").map(Number) : spell(k, text));

// Arrays that are tails: of what is variable, or longer than 255 bytes.
const scalars = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4, time: 12, "time:zone": 16, complex128: 16 };
const longArray = {
  test(text) {
    if (/^\[\d+\](string|bytes|\[)|^\[\d{3,}\]/.test(text)) return true;
    const m = /^\[(\d+)\](u?int\d+|float\d+|complex\d+|bool|duration|time\S*)$/.exec(text);
    return m !== null && m[1] * (scalars[m[2]] ?? 8) > 255;
  },
};

// An element of a list of slots whose slot is empty is null.
function emptyAsNull(s, text) {
  if (/^(\[\]|map)/.test(text)) return s.length === 0 ? null : s;
  return longArray.test(text) && zero(s, text) ? null : s;
}

function zero(s, text) {
  if (s === null) return true;
  if (text.startsWith("?")) return false;
  if (text === "string" || text.startsWith("bytes")) return s === "";
  if (s === 0 || s === false || s === "" || s === "0") return true;
  if (/^[fc](32|64|128):[0,]*$/.test(s) || /^0\.000000000(@0)?$/.test(s)) return true;
  if (Array.isArray(s)) return /^\[\d+\]/.test(text) ? s.every((e) => zero(e, text.replace(/^\[\d+\]/, ""))) : s.length === 0;
  return typeof s === "object" && Object.keys(s).length === 0;
}

// What is opaque is left out of what the vector says, too, and JSON texts are compared as JSON elsewhere.
function prune(want, text) {
  if (want === null || typeof want !== "object") return want;
  let m;
  if ((m = /^\?(.+)$/.exec(text))) return prune(want, m[1]);
  if ((m = /^map\[(?:\[\d+\])?[^\]]+\](.+)$/.exec(text))) return want.map(([k, w]) => [k, prune(w, m[1])]);
  if ((m = /^\[\d*\](.+)$/.exec(text))) return want.map((e) => prune(e, m[1]));
  const struct = all[text.replace("inline:", "")];
  if (!struct) return want;
  const out = {};
  for (const f of struct.fields) if (f.name in want && !opaque.test(f.text)) out[f.name] = prune(want[f.name], f.text);
  return out;
}

// JavaScript may set the quiet bit of a NaN of 32 bits.
const quiet = (v) => JSON.parse(JSON.stringify(v).replace(/(?<=f32:|c64:|,)([7f]f)[8-f](?=[0-9a-f]{5}[",])/g, (all, sign) => sign + (parseInt(all[2], 16) | 4).toString(16)));

// Reads everything that a view has. Only RangeError, and TypeError for what is not UTF-8, may come out.
function walk(view) {
  try {
    return JSON.stringify(view());
  } catch (e) {
    if (!(e instanceof RangeError) && !(e instanceof TypeError && e.code === "ERR_ENCODING_INVALID_ENCODED_DATA")) throw e;
    return null;
  }
}

test("views agree with the vectors", () => {
  let compared = 0;
  for (const v of lines()) {
    const type = all[v.reader];
    if (!type?.view || v.expect !== "ok" || typeof v.fields === "string" || opaque.test(v.reader)) continue;
    const view = type.view(unhex(v.hex));
    assert.deepEqual(quiet(spell(view, v.reader)), quiet(prune(v.fields ?? {}, v.reader)), v.id);
    compared++;
  }
  assert.ok(compared > 250, `only ${compared} vectors were compared`);
});

test("broken messages, cut ones and damaged ones throw a RangeError at most", () => {
  let refused = 0, tried = 0;
  for (const v of lines()) {
    const type = all[v.reader];
    if (!type?.view || v.hex.length > 2000 || v.hex.includes("*")) continue;
    const bytes = unhex(v.hex);
    const tries = [bytes];
    for (let n = 0; n < bytes.length; n += 1 + (bytes.length >> 5)) tries.push(bytes.subarray(0, n));
    for (let i = 0; i < bytes.length; i += 1 + (bytes.length >> 5)) tries.push(bytes.with(i, bytes[i] ^ 0x41));
    for (const b of tries) {
      tried++;
      if (walk(() => type.view(b)) === null) refused++;
    }
  }
  assert.ok(tried > 5000 && refused > 1000, `${refused} of ${tried}`);
});

test("a view lies in its own bytes, not in those around them", () => {
  const message = unhex("0cc0000000f791770e0000000000000018003100" + "3d0041310c800000080019000000000000" + "00f83f0200000011001100780700040005006b0400050076");
  const around = new Uint8Array(message.length + 20).fill(255);
  around.set(message, 7);
  const order = all.Order.view(around.subarray(7, 7 + message.length));
  assert.equal(order.ID, "A1");
  assert.equal(order.Items.length, 1);
  assert.deepEqual([order.Items.at(0).Sku, order.Items.at(0).Price, order.Items.at(0).Qty], ["x", 1.5, 2]);
  assert.deepEqual([...order.Metadata], [["k", "v"]]);
  assert.equal(order.Timestamp.toDate().getTime(), 0);
  assert.throws(() => order.Items.at(1), RangeError);
  assert.throws(() => order.Items.at(-1), RangeError);
  assert.equal(order.Items.at(0).Attrs.length, 0);
  assert.ok(order.Items instanceof List);
});

test("schemas are read as zmy.lock spells them", () => {
  const { A } = types("# comment\nzmylock 1\n\nstruct A lineage=1b428375d58f525e\n\t0 X int32 json=x\n\t1 Y string json=y\n");
  assert.deepEqual(A.view(unhex("0440000007000000" + "0c00" + "c3a9")).toJSON(), { X: 7, Y: "é" });
  assert.throws(() => types("nonsense"), /line 1 of the schema/);
  assert.throws(() => types("0 X int32"), SyntaxError);
});

test("every line of a zmy.lock", () => {
  const { A, Kind } = types(`# zmy.lock
zmylock 1

struct A lineage=1b428375d58f525e deprecated maxwire=12
	0 At Spot inline
	1 Kind Kind json="a b"
	2 Was int32 reserved
	3 - "[3]byte" reserved=3
	4 - string reserved=0
	5 Count int32
	6 By map[[2]uint8][]Kind
	7 Self ?.text
	8 Set map[string]{}

enum Kind uint16 deprecated
	-1 None
	1 One

struct Spot
	0 X int32
	1 On bool

struct text
	0 B string

sparse "Page[Order]"
	0 A string

union Shape
	1 A
`);
  assert.equal(Kind.scalar, "uint16");
  // S = 5 + 2 + 4 + 3 + 4, N = 4.
  const v = A.view(unhex("12000100" + "0700000001" + "0200" + "ffffffff" + "010203" + "2a000000" + "1e00".repeat(4)));
  assert.deepEqual(v.toJSON(), { At: v.At, Kind: 2, Count: 42, By: [], Self: null, Set: [] });
  assert.deepEqual([v.At.X, v.At.On], [7, true]);
  for (const bad of ["struct A\n\t0 X Gone", "struct A\n\t0 X map[string]?Gone", "struct A\n\t0 X", "enum K string", "enum K"]) assert.throws(() => types(bad), SyntaxError);
});

// TestLocks of package web writes these: every zmy.lock of the tree, and drawn types in two versions each, with
// messages of one that are read as the other.
test("locks of the tree and drawn ones", { skip: !process.env.ZMY_LOCKS }, () => {
  const { locks, drawn } = JSON.parse(readFileSync(process.env.ZMY_LOCKS, "utf8"));
  for (const [name, text] of Object.entries(locks)) {
    for (const type of Object.values(types(text))) {
      if (type instanceof StructType) JSON.stringify(type.at({ d: new DataView(new ArrayBuffer(0)), start: 0, end: 0 })), assert.ok(type.fields.length > 0, name);
    }
  }
  for (const { lock, message, want } of drawn) {
    const got = types(lock).Root.view(unhex(message)).toJSON();
    assert.deepEqual(JSON.parse(JSON.stringify(got)), want, `${lock}\n${message}`);
  }
  assert.ok(Object.keys(locks).length > 10 && drawn.length >= 400);
});

test("base64", () => {
  assert.deepEqual([...bytesOf("AAoN/w==")], [0, 10, 13, 255]);
  assert.equal(bytesOf("").length, 0);
  for (const bad of ["*", "A", "AA=A", "é"]) assert.throws(() => bytesOf(bad));
  // What is decoded in pieces, against another decoder.
  for (const n of [1, 2, 3, 24575, 24576, 24577, 24578, 24579, 49152, 100_000]) {
    const bytes = Buffer.from(Array.from({ length: n }, (_, i) => i * 31 + (i >> 7)));
    const text = bytes.toString("base64");
    assert.ok(bytes.equals(bytesOf(text)), `${n} bytes`);
    if (n < 24576 * 2) continue;
    for (const bad of [text.slice(0, 32764) + "AA==" + text.slice(32768), text.slice(0, 100) + "\n" + text.slice(101), text.slice(0, 40_000) + "*" + text.slice(40_001)]) {
      assert.throws(() => bytesOf(bad));
    }
  }
});

// An EventSource that the test plays.
class Played {
  static all = [];
  listeners = new Map();
  readyState = 0;
  constructor(url, options) {
    Object.assign(this, { url, options });
    Played.all.push(this);
  }
  addEventListener(type, f) { this.listeners.set(type, f); }
  close() { this.readyState = 2; }
  say(type, data, lastEventId) { this.listeners.get(type)?.({ type, data, lastEventId }); }
  open() { this.readyState = 1; this.onopen(); }
  fail(state) { this.readyState = state; this.onerror({ type: "error" }); }
}

const play = (t, options) => {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  Played.all = [];
  const seen = [];
  const s = new EventStream("http://hub.example/events?topic=a", { EventSource: Played, ...options });
  for (const type of ["order", "note", "blob", "message", "reset", "gap", "open"]) s.on(type, (v) => seen.push([type, v?.ID ?? v]));
  s.on("error", ({ error }) => seen.push(["error", error?.message ?? null]));
  return { s, seen, last: () => Played.all.at(-1) };
};

test("events are decoded by their type", (t) => {
  const { s, seen, last } = play(t, { decode: { order: all.Order, note: "json", blob: "bytes" } });
  last().open();
  last().say("message", "plain\ntext", "1-1");
  last().say("note", '{"a":1}', "1-2");
  last().say("blob", "AAE=", "1-3");
  const order = unhex("0cc0000000f791770e00000000000000180018001800" + "4131");
  last().say("order", Buffer.from(order).toString("base64"), "1-4");
  last().say("note", "{", "1-5");
  last().say("order", "AAA=", "1-6");
  last().say("reset", '{"reason":"trimmed"}', "1-7");
  last().say("gap", '{"from":"1-8","to":"1-9","dropped":2}', "1-9");
  assert.deepEqual(seen.slice(0, 3), [["open", undefined], ["message", "plain\ntext"], ["note", { a: 1 }]]);
  assert.deepEqual([...seen[3][1]], [0, 1]);
  assert.deepEqual(seen[4], ["order", "A1"]);
  assert.deepEqual(seen.slice(5, 7).map(([type]) => type), ["error", "error"]);
  assert.deepEqual(seen.slice(7), [["reset", { reason: "trimmed" }], ["gap", { from: "1-8", to: "1-9", dropped: 2 }]]);
  assert.equal(s.lastEventId, "1-9");
  assert.throws(() => new EventStream("http://x/", { EventSource: Played, decode: { a: "yaml" } }), /decode.a: yaml/);
});

test("a stream that the browser gives up for good is opened anew behind the last event", (t) => {
  const { s, seen, last } = play(t, { retry: 1000 });
  assert.equal(last().url, "http://hub.example/events?topic=a");
  last().open();
  last().say("message", "x", "1-7");
  last().fail(0); // the browser connects anew by itself
  assert.equal(Played.all.length, 1);
  for (const wait of [1000, 2000, 4000]) {
    last().fail(2);
    assert.equal(s.readyState, 0);
    const n = Played.all.length;
    t.mock.timers.tick(wait - 1);
    assert.equal(Played.all.length, n);
    t.mock.timers.tick(wait / 2 + 2);
    assert.equal(Played.all.length, n + 1);
    assert.equal(last().url, "http://hub.example/events?topic=a&lastEventId=1-7");
  }
  last().open();
  last().say("message", "y", "1-8");
  assert.deepEqual(seen.filter(([type]) => type === "message").map(([, v]) => v), ["x", "y"]);
  s.close();
  assert.equal(s.readyState, 2);
  t.mock.timers.tick(1e6);
  assert.equal(Played.all.length, 4);
});

test("close and reopen: false end it", (t) => {
  const { s, last } = play(t, {});
  last().fail(2);
  s.close();
  t.mock.timers.tick(1e6);
  assert.equal(Played.all.length, 1);
  const once = play(t, { reopen: false });
  assert.equal(once.s.readyState, 0);
  once.last().fail(2);
  assert.equal(once.s.readyState, 2);
  t.mock.timers.tick(1e6);
  assert.equal(Played.all.length, 1);
});

test("a stream that is opened anew without a place to continue at resets", (t) => {
  const { seen, last } = play(t, {});
  const reopen = () => {
    last().fail(2);
    t.mock.timers.tick(1e6);
  };
  reopen(); // it was never open: nothing is missing
  last().open();
  last().fail(0);
  last().open(); // by the browser, which knows the place
  assert.deepEqual(seen.filter(([type]) => type === "reset"), []);
  last().say("unheard", "x", "1-1"); // has no handler
  reopen();
  assert.equal(last().url, "http://hub.example/events?topic=a");
  assert.deepEqual(seen.filter(([type]) => type === "reset"), []); // not before events come again
  last().open();
  assert.deepEqual(seen.filter(([type]) => type === "reset"), [["reset", { reason: "unknown" }]]);
  last().fail(0);
  last().open();
  last().say("message", "x", "1-2");
  reopen();
  last().open();
  assert.equal(seen.filter(([type]) => type === "reset").length, 1);
});

test("long bytes become base64", () => {
  const { B } = types("struct B\n0 X bytes\n");
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i * 7);
  const message = new Uint8Array(4 + 4 + bytes.length); // header, one end of 4 bytes, the bytes
  const d = new DataView(message.buffer);
  d.setUint32(0, 1 << 14, true);
  d.setUint32(4, message.length, true);
  message.set(bytes, 8);
  assert.equal(JSON.parse(JSON.stringify(B.view(message))).X, Buffer.from(bytes).toString("base64"));
});
