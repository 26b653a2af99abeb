// Events of a ZMY hub in the browser: reconnecting streams, payloads of binary codecs, and
// messages of ZMY native read in place. No dependencies; docs/guide/sse.md shows its use.
//
//   import { EventStream, types } from "./zmy-sse.js";
//   const { Order } = types(await (await fetch("zmy.lock")).text());
//   const stream = new EventStream("/events", { decode: { order: Order, note: "json" } });
//   stream.on("order", (order, event) => show(order.ID, order.Items.length));
//   stream.on("reset", ({ reason }) => loadEverything());

/** The bytes of base64 text (RFC 4648, section 4); throws on anything else. */
export function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  // atob makes a string of what it decodes: of a long payload in pieces, of which only the last can be padded.
  const bytes = new Uint8Array(Math.floor(base64.length * 3 / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0));
  for (let i = 0, n = 0; i < base64.length; i += PIECE) {
    const text = atob(base64.slice(i, i + PIECE));
    if (text.length !== Math.min(PIECE * 3 / 4, bytes.length - n)) throw new SyntaxError("base64 with white space, or padding before its end");
    for (let j = 0; j < text.length; j++) bytes[n++] = text.charCodeAt(j);
  }
  return bytes;
}

const PIECE = 32768; // characters, a multiple of 4

// base64Of goes in pieces: a call takes only so many arguments.
function base64Of(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

// ---- Streams ----

const DECODERS = {
  text: (data) => data,
  json: (data) => JSON.parse(data),
  bytes: (data) => bytesOf(data),
};

/**
 * A stream of events. It is the browser's EventSource, which continues behind the last event by
 * itself, and does what that leaves to the page:
 *
 * - decode: how the data of each type of event is decoded: "text" (the default), "json", "bytes"
 *   (sent as base64), a type of ZMY native (see types), or a function of the data.
 * - "reset" handlers get { reason } where events may be missing: fetch the state anew. "gap" handlers get
 *   { from, to, dropped } where a slow connection has lost some.
 * - Where a browser gives up for good, on an answer that is no stream, it opens a new one after retry
 *   milliseconds (5,000; twice as long after each failure, up to a minute), behind the last event that a
 *   handler was called for. If there was none although the stream had been open, some may be missing:
 *   "reset" handlers get { reason: "unknown" }. With reopen: false it does not.
 *
 * Other options: withCredentials, lastEventId (where to begin), EventSource (another implementation).
 */
export class EventStream {
  #url; #options; #decode; #handlers = new Map(); #source = null; #timer = 0; #failures = 0; #opened = false;
  /** The ID of the last event, "" before the first. */
  lastEventId;

  constructor(url, options = {}) {
    this.#url = new URL(url, globalThis.location?.href);
    this.#options = { retry: 5000, reopen: true, withCredentials: false, EventSource: globalThis.EventSource, ...options };
    this.#decode = new Map(Object.entries({ reset: "json", gap: "json", ...options.decode }).map(([type, how]) => [type, decoder(type, how)]));
    this.lastEventId = options.lastEventId ?? "";
    this.#open();
  }

  /**
   * Calls handler(value, event) for each event of a type, in order. "open" is called when a connection stands,
   * "error" with { error, event } when one is lost (error is null) or an event cannot be decoded.
   * Returns this.
   */
  on(type, handler) {
    if (!this.#handlers.has(type)) {
      this.#handlers.set(type, []);
      if (this.#source) this.#listen(type);
    }
    this.#handlers.get(type).push(handler);
    return this;
  }

  /** 0 while connecting, 1 while open, 2 once closed, as of EventSource. */
  get readyState() {
    if (this.#source === null) return 2;
    return this.#source.readyState === 2 && this.#options.reopen ? 0 : this.#source.readyState; // reopening counts as connecting
  }

  /** Ends the stream for good. */
  close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    const url = new URL(this.#url);
    if (this.lastEventId !== "") url.searchParams.set("lastEventId", this.lastEventId);
    const source = new this.#options.EventSource(url.href, { withCredentials: this.#options.withCredentials });
    this.#source = source;
    // A browser keeps to itself the ID that a hub begins with, and those of events without a handler.
    let blind = this.#opened && this.lastEventId === "";
    source.onopen = (event) => {
      this.#failures = 0;
      this.#opened = true;
      this.#call("open", undefined, null);
      if (blind) this.#call("reset", { reason: "unknown" }, event);
      blind = false; // the browser continues behind this opening by itself
    };
    source.onerror = (event) => this.#failed(source, event);
    for (const type of this.#handlers.keys()) this.#listen(type);
  }

  #listen(type) {
    if (type === "open" || type === "error") return;
    this.#source.addEventListener(type, (event) => {
      this.lastEventId = event.lastEventId;
      let value;
      try {
        value = (this.#decode.get(type) ?? DECODERS.text)(event.data);
      } catch (error) {
        this.#call("error", { error, event }, event);
        return;
      }
      this.#call(type, value, event);
    });
  }

  #failed(source, event) {
    if (source !== this.#source) return;
    if (source.readyState === 2 && this.#options.reopen) {
      const wait = Math.min(this.#options.retry * 2 ** this.#failures++, Math.max(60_000, this.#options.retry));
      this.#timer = setTimeout(() => this.#open(), wait * (1 + Math.random() / 2));
    }
    this.#call("error", { error: null, event }, event);
  }

  #call(type, value, event) {
    for (const handler of this.#handlers.get(type) ?? []) handler(value, event);
  }
}

function decoder(type, how) {
  if (how instanceof StructType) return (data) => how.view(bytesOf(data));
  if (typeof how === "function") return how;
  if (DECODERS[how]) return DECODERS[how];
  throw new TypeError(`decode.${type}: ${how} is no decoder; use "text", "json", "bytes", a type, or a function`);
}

// ---- ZMY native: types ----
//
// spec/FORMAT.md is the format. A view reads fields where they lie, when they are asked for. It never
// reads outside of its message and throws a RangeError where that is broken, but does not
// check what it is not asked for. Read in place: scalars, strings, bytes, structs, pointers, lists,
// arrays and maps of all these. Of unions, sparse structs, big numbers and what methods write the bytes
// are returned; of any { kind, bytes }.

/**
 * The types that a schema describes, by name. text is a zmy.lock: a line "struct Name", and a line "number name
 * type" for each field. A SyntaxError says which line is none, or names a type that nothing describes.
 */
export function types(text) {
  const all = {};
  let at = null;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const words = wordsOf(line);
    if (words.length === 0 || words[0].startsWith("#") || words[0] === "zmylock") continue;
    if (/^(struct|sparse|union|enum)$/.test(words[0]) && words.length > 1) {
      at = all[words[1]] = declared(words, all);
    } else if (/^-?\d+$/.test(words[0]) && words.length > 1 && at !== null) {
      if (at instanceof StructType) at.fields.push(fieldOf(words, i + 1));
    } else {
      throw new SyntaxError(`line ${i + 1} of the schema: ${line.trim()}`);
    }
  }
  for (const type of Object.values(all)) {
    for (const field of type.fields ?? []) checkNames(field, all);
  }
  return all;
}

// wordsOf cuts a line into words; quoted ones may hold spaces.
function wordsOf(line) {
  return (line.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? []).map((w) => w.replace(/"(?:[^"\\]|\\.)*"/g, (q) => JSON.parse(q)));
}

function declared([word, name, base], all) {
  if (word === "struct") return new StructType(name, all);
  if (word !== "enum") return { opaque: true, name };
  if (!/^u?int(8|16|32|64)$/.test(base)) throw new SyntaxError(`enum ${name} has no integer type`);
  return { scalar: base, name };
}

// fieldOf is a field by the words of its line. A reserved one keeps its place only.
function fieldOf([number, name, text, ...options], line) {
  if (text === undefined) throw new SyntaxError(`line ${line} of the schema: field ${name} has no type`);
  const reserved = options.find((w) => /^reserved(=|$)/.test(w));
  if (options.includes("inline")) text = "inline:" + text;
  const size = reserved?.split("=")[1];
  if (size !== undefined) text = size === "0" ? "bytes" : `[${size}]uint8`;
  return { number: Number(number), name: reserved ? "-" : name, text, place: Number(size) > 0 ? Number(size) : undefined };
}

// Kinds that have a slot of their own and are returned as bytes.
const SLOTS = new Set(["string", "text", "any", "bytes", "bytes:json", "bigint", "bigfloat", "zmy", "binary", "{}"]);

// checkNames refuses a type that the schema does not describe: how many bytes it takes would be a guess.
function checkNames(field, all) {
  const check = (text) => {
    let m;
    if ((m = mapParts(text))) return check(m[0]), check(m[1]);
    if ((m = /^(?:\?|\[\d*\]|inline:)(.+)$/.exec(text))) return check(m[1]);
    if (!SCALARS[text] && !SLOTS.has(text) && !all[nameOf(text)]) throw new SyntaxError(`field ${field.name}: the schema has no type ${text}`);
  };
  check(field.text);
}

// nameOf is the name in a text: a dot stands before one that a kind has too.
const nameOf = (text) => (text.startsWith(".") ? text.slice(1) : text);

// mapParts cuts "map[K]V" into K and V; null for anything else.
function mapParts(text) {
  if (!text.startsWith("map[")) return null;
  for (let i = 4, depth = 0; i < text.length; i++) {
    if (text[i] === "[") depth++;
    else if (text[i] === "]" && depth-- === 0) return [text.slice(4, i), text.slice(i + 1)];
  }
  return null;
}

const bigs = (read) => (d, at) => read.call(d, at, true);
const complexOf = (size, read) => (d, at) => ({ re: read.call(d, at, true), im: read.call(d, at + size, true) });
const dv = DataView.prototype;

// Size and reader of each scalar; 64-bit integers are BigInt.
const SCALARS = {
  bool: [1, (d, at) => d.getUint8(at) !== 0],
  int8: [1, bigs(dv.getInt8)], int16: [2, bigs(dv.getInt16)], int32: [4, bigs(dv.getInt32)], int64: [8, bigs(dv.getBigInt64)],
  uint8: [1, bigs(dv.getUint8)], uint16: [2, bigs(dv.getUint16)], uint32: [4, bigs(dv.getUint32)], uint64: [8, bigs(dv.getBigUint64)],
  float32: [4, bigs(dv.getFloat32)], float64: [8, bigs(dv.getFloat64)],
  complex64: [8, complexOf(4, dv.getFloat32)], complex128: [16, complexOf(8, dv.getFloat64)],
  duration: [8, bigs(dv.getBigInt64)],
  time: [12, (d, at) => new Time(d.getBigInt64(at, true), d.getUint32(at + 8, true))],
  "time:zone": [16, (d, at) => new Time(d.getBigInt64(at, true), d.getUint32(at + 8, true), d.getInt32(at + 12, true))],
  "time:unixnano": [8, (d, at) => Time.ofUnixNano(d.getBigInt64(at, true))],
};

const YEAR_1 = 62_135_596_800n; // seconds from year 1 to 1970
const BILLION = 1_000_000_000n;

/** A moment: seconds since year 1 as BigInt, nanoseconds, and the zone's seconds east of UTC where it was sent. */
export class Time {
  constructor(seconds, nanoseconds, zone = 0) {
    Object.assign(this, { seconds, nanoseconds, zone });
  }

  static ofUnixNano(n) {
    if (n === 0n) return new Time(0n, 0);
    if (n === -(2n ** 63n)) n = 0n;
    let seconds = n / BILLION, rest = n % BILLION;
    if (rest < 0n) [seconds, rest] = [seconds - 1n, rest + BILLION];
    return new Time(seconds + YEAR_1, Number(rest));
  }

  /** As a Date, which has milliseconds. */
  toDate() {
    return new Date(Number(this.seconds - YEAR_1) * 1000 + Math.floor(this.nanoseconds / 1e6));
  }
}

/** A struct of a schema. view(bytes) reads a message of it in place. */
export class StructType {
  #all; #View = null;

  constructor(name, all) {
    this.name = name;
    this.fields = [];
    this.#all = all;
  }

  /** A view of the message in bytes, a Uint8Array, with a property for each field. */
  view(bytes) {
    const d = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.at({ d, start: 0, end: d.byteLength }, false);
  }

  /** A view of the struct in a slot; the slot of a zero value may be empty. */
  at(slot, mayBeEmpty = true) {
    if (mayBeEmpty && slot.start === slot.end) return new (this.#layout())(slot, slot.start, 0, 0);
    need(slot.end - slot.start >= 4, "TRUNCATED", slot.start);
    const [S, N] = header(slot.d, slot.start);
    return this.element(slot, slot.start + 4, S, N);
  }

  /** A view of the struct whose scalars stand at scalars; ends count from slot.start. */
  element(slot, scalars, S, N) {
    const View = this.#layout();
    need(scalars + S + wordSize(slot) * N <= slot.end, "TRUNCATED", slot.start);
    need((S >= View.S && N >= View.N) || View.versions.has(S * 0x10000 + N), "MIXED", slot.start);
    return new View(slot, scalars, S, N);
  }

  /** The bytes of the scalars of a struct inline. */
  get inlineSize() {
    return this.#layout().S;
  }

  // #layout decides once where each field stands, and makes a class with a getter for each.
  #layout() {
    if (this.#View !== null) return this.#View;
    const View = class extends StructView {};
    View.versions = new Set();
    let S = 0, N = 0;
    for (const field of this.fields) {
      const type = field.place ? { size: field.place } : typeOf(field.text, this.#all);
      const at = type.size ? S : N;
      const get = type.size
        ? function () { return this.scalar(at, type); }
        : function () { return this.tail(at, type); };
      if (field.name !== "-") Object.defineProperty(View.prototype, field.name, { get, enumerable: true });
      if (type.size) S += type.size; else N++;
      View.versions.add(S * 0x10000 + N);
    }
    Object.assign(View, { S, N, type: this });
    return (this.#View = View);
  }
}

/** What views of structs have in common; their fields are properties by name. */
class StructView {
  #slot; #scalars; #S; #N;

  constructor(slot, scalars, S, N) {
    this.#slot = slot;
    this.#scalars = scalars;
    this.#S = S;
    this.#N = N;
  }

  scalar(offset, type) {
    if (offset + type.size > this.#S) return type.zero(); // an older version
    return type.read({ d: this.#slot.d, start: this.#scalars + offset, end: this.#scalars + offset + type.size });
  }

  tail(i, type) {
    const { d, start, end } = this.#slot;
    if (i >= this.#N) return type.zero();
    const es = wordSize(this.#slot), words = this.#scalars + this.#S;
    const from = i === 0 ? words + es * this.#N : start + word(d, words + es * (i - 1), es);
    const to = start + word(d, words + es * i, es);
    need(words + es * this.#N <= from && from <= to && to <= end, "ENDS", words + es * i);
    return from === to ? type.zero() : type.read({ d, start: from, end: to });
  }

  /** A plain object with all fields: what JSON.stringify sees. */
  toJSON() {
    return Object.fromEntries(this.constructor.type.fields.filter((f) => f.name !== "-").map((f) => [f.name, plain(this[f.name])]));
  }
}

function plain(v) {
  if (typeof v === "bigint") return v.toString();
  if (v instanceof Uint8Array) return base64Of(v);
  if (v instanceof Time) return v.toDate();
  if (v instanceof Map) return [...v].map(([k, w]) => [plain(k), plain(w)]);
  return v instanceof List ? [...v].map(plain) : v;
}

/** Elements that are read when they are asked for: length, at(i), and iteration. */
export class List {
  #read;

  constructor(length, read) {
    this.length = length;
    this.#read = read;
  }

  at(i) {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) throw new RangeError(`element ${i} of ${this.length}`);
    return this.#read(i);
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.#read(i);
  }
}

const NOTHING = new List(0, () => undefined);

// ---- ZMY native: reading ----

function need(ok, code, at) {
  if (!ok) throw new RangeError(`zmy: ${code} at offset ${at}`);
}

const wordSize = ({ start, end }) => (end - start > 0xffff ? 4 : 2);
const word = (d, at, es) => (es === 2 ? d.getUint16(at, true) : d.getUint32(at, true));

function header(d, at) {
  const H = d.getUint32(at, true);
  need(H >>> 28 === 0, "RESERVED", at);
  return [H & 0x3fff, (H >>> 14) & 0x3fff];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytesAt = ({ d, start, end }) => new Uint8Array(d.buffer, d.byteOffset + start, end - start);
const behind = (slot, n) => ({ ...slot, start: slot.start + n });

// typeOf parses the text of a type: { read(slot), zero(), size of scalars, struct }.
function typeOf(text, all) {
  let m;
  if (SCALARS[text]) {
    const [size, read] = SCALARS[text];
    const none = new DataView(new ArrayBuffer(size));
    return { size, read: (slot) => read(slot.d, slot.start), zero: () => read(none, 0) };
  }
  if (text === "string" || text === "text") return { read: (slot) => utf8.decode(bytesAt(slot)), zero: () => "" };
  if (text === "any") return { read: (slot) => ({ kind: slot.d.getUint8(slot.start), bytes: bytesAt(behind(slot, 1)) }), zero: () => null };
  if ((m = /^\[\](.+)$/.exec(text))) return listOf(typeOf(m[1], all));
  if ((m = /^\[(\d+)\](.+)$/.exec(text))) return arrayOf(Number(m[1]), typeOf(m[2], all));
  if ((m = mapParts(text))) return mapOf(typeOf(m[0], all), typeOf(m[1], all));
  if ((m = /^\?(.+)$/.exec(text)) && !/^\?big/.test(text)) return pointerTo(typeOf(m[1], all));
  if ((m = /^inline:(.+)$/.exec(text))) return inline(all[nameOf(m[1])]);
  if (text === "{}") return { struct: new StructType("", all), read: bytesAt, zero: () => null };
  const struct = all[nameOf(text)];
  if (struct?.scalar && !SLOTS.has(text)) return typeOf(struct.scalar, all);
  if (struct instanceof StructType) {
    return { struct, read: (slot) => struct.at(slot), zero: () => struct.at({ d: new DataView(new ArrayBuffer(0)), start: 0, end: 0 }) };
  }
  // bytes, raw JSON, and what is not read in place.
  return { opaque: struct?.opaque, read: bytesAt, zero: () => new Uint8Array(0) };
}

function pointerTo(type) {
  if (type.size || type.struct) return { struct: type.struct, read: (slot) => (type.struct ? type.struct.at(slot, false) : scalarIn(slot, type)), zero: () => null };
  if (type.opaque) return { read: type.read, zero: () => null };
  return { read: (slot) => (slot.end - slot.start === 1 ? type.zero() : type.read(behind(slot, 1))), zero: () => null };
}

function scalarIn(slot, type) {
  need(slot.end - slot.start === type.size, "LENGTH", slot.start);
  return type.read(slot);
}

function inline(struct) {
  const size = struct.inlineSize;
  return {
    size,
    read: (slot) => struct.element({ ...slot, end: slot.start + size }, slot.start, size, 0),
    zero() { return this.read({ d: new DataView(new ArrayBuffer(size)), start: 0, end: size }); },
  };
}

// packed reads elements of a fixed size that stand side by side.
function packed(slot, type) {
  const length = (slot.end - slot.start) / type.size;
  need(Number.isInteger(length), "LENGTH", slot.start);
  return new List(length, (i) => type.read({ d: slot.d, start: slot.start + i * type.size, end: slot.start + (i + 1) * type.size }));
}

// bounded reads the boundaries of a list whose words stand at words: element(i) is given the slot of element i.
function bounded(slot, words, element) {
  const { d, start, end } = slot, es = wordSize(slot);
  need(words + 2 * es <= end, "TRUNCATED", start);
  const first = word(d, words, es), length = (start + first - words) / es - 1;
  need(Number.isInteger(length) && length >= 1 && start + first <= end, "COUNT", start);
  return new List(length, (i) => {
    const from = start + word(d, words + es * i, es), to = start + word(d, words + es * (i + 1), es);
    need(start + first <= from && from <= to && to <= end, "ENDS", words + es * i);
    return element({ d, start: from, end: to });
  });
}

function elements(slot, type) {
  if (type.size) return packed(slot, type);
  if (!type.struct) return bounded(slot, slot.start, (s) => (s.start === s.end ? type.zero() : type.read(s)));
  need(slot.end - slot.start >= 4, "TRUNCATED", slot.start);
  const [S, N] = header(slot.d, slot.start), struct = type.struct;
  if (N > 0) return bounded(slot, slot.start + 4, (s) => struct.element(s, s.start, S, N));
  const length = (slot.end - slot.start - 4) / S;
  need(Number.isInteger(length) && length >= 1, "LENGTH", slot.start); // S = 0 gives infinity
  return new List(length, (i) => {
    const from = slot.start + 4 + i * S;
    return struct.element({ d: slot.d, start: from, end: from + S }, from, S, 0);
  });
}

function listOf(type) {
  return { read: (slot) => elements(slot, type), zero: () => NOTHING };
}

function arrayOf(n, type) {
  const short = type.size && n * type.size <= 255;
  const read = (slot) => {
    const list = elements(slot, type);
    need(list.length === n, "COUNT", slot.start);
    return list;
  };
  return { size: short ? n * type.size : undefined, read, zero: () => new List(n, () => type.zero()) };
}

function mapOf(key, value) {
  const read = (slot) => {
    const es = wordSize(slot), { d, start, end } = slot;
    need(end - start >= es, "TRUNCATED", start);
    const split = start + word(d, start, es);
    need(start + es < split && split <= end, "ENDS", start);
    const keys = elements({ d, start: start + es, end: split }, key), values = { d, start: split, end };
    const set = value.struct && value.struct.fields.length === 0;
    const list = set ? new List(keys.length, () => value.zero()) : elements(values, value);
    need(list.length === keys.length, "COUNT", split);
    const map = new Map();
    for (let i = 0; i < keys.length; i++) {
      const k = keys.at(i);
      map.set(k instanceof List ? [...k].join() : k, list.at(i));
    }
    return map;
  };
  return { read, zero: () => new Map() };
}
