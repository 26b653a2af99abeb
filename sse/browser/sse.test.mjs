// Has a browser follow the hub and a plain reference handler through the same cases, written from the standard
// (WHATWG HTML, section 9.2), and interpret bodies byte by byte, by HTTP/1.1 and by HTTP/2. Run by TestInBrowser of the folder
// above, which serves ZMY_SITES, addresses by protocol: each has /hub and /reference with /events, /publish, /cut, /seen, /origins;
// /raw/N; and the scripts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";

const { chromium } = createRequire(process.env.ZMY_MODULES + "/")("playwright-core");
const sites = JSON.parse(process.env.ZMY_SITES);
const pages = {};
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.ZMY_CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--ignore-certificate-errors"],
  });
  for (const [protocol, url] of Object.entries(sites)) {
    const page = pages[protocol] = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url + "/page");
  }
});
after(() => browser.close());

// Each case runs in the page: it is given the base address and helpers, and returns what must be equal.
const cases = {
  "open, then messages in order": [async (base, h) => {
    const s = h.follow(base + "/events?topic=order");
    const before = s.source.readyState;
    await s.open;
    const during = s.source.readyState;
    for (const data of ["1", "2", "3"]) await h.publish(base, "order", { data });
    await s.count(3);
    s.source.close();
    return [before, during, s.source.readyState, s.data()];
  }, [0, 1, 2, ["1", "2", "3"]]],

  "data: lines, spaces, empty, NUL, BOM, characters beyond the first plane": [async (base, h) => {
    const s = h.follow(base + "/events?topic=data");
    await s.open;
    const texts = ["a\nb\nc", "\n", "", " lead", "  two ", "\u0000", "\uFEFFmark", "日本語 😀 \u2028 \u0085", "data: x", ": comment", "id: 9\nretry: 1", "a\n\nevent: evil\ndata: b\n\n"];
    for (const data of texts) await h.publish(base, "data", { data });
    await s.count(texts.length);
    s.source.close();
    return s.data().map((d, i) => d === texts[i]);
  }, Array(12).fill(true)],

  "line breaks of every kind arrive as LF": [async (base, h) => {
    const s = h.follow(base + "/events?topic=breaks");
    await s.open;
    await h.publish(base, "breaks", { data: "a\r\nb\rc\nd\r\r\ne" });
    await s.count(1);
    s.source.close();
    return s.data();
  }, ["a\nb\nc\nd\n\ne"]],

  "types call their own listeners only": [async (base, h) => {
    const s = h.follow(base + "/events?topic=types", ["test", "ünï 事件", "error ", "open2"]);
    await s.open;
    for (const type of ["test", "", "ünï 事件", "message", "other", "error ", "test"]) await h.publish(base, "types", { type, data: type });
    await s.count(6);
    s.source.close();
    return s.events.map((e) => [e.type, e.data]);
  }, [["test", "test"], ["message", ""], ["ünï 事件", "ünï 事件"], ["message", "message"], ["error ", "error "], ["test", "test"]]],

  "events have origin, an ID, and are not trusted with a source": [async (base, h) => {
    const s = h.follow(base + "/events?topic=props");
    await s.open;
    await h.publish(base, "props", { data: "x" });
    await s.count(1);
    s.source.close();
    const e = s.events[0];
    return [e instanceof MessageEvent, e.origin === new URL(base).origin, e.lastEventId !== "", e.source, e.ports.length, e.bubbles, e.cancelable];
  }, [true, true, true, null, 0, false, false]],

  "a connection that is cut comes back behind the last event": [async (base, h) => {
    const s = h.follow(base + "/events?topic=cut");
    await s.open;
    await h.publish(base, "cut", { data: "1" });
    await s.count(1);
    await h.cut(base, 2); // and two attempts after it
    const state = s.source.readyState;
    await h.publish(base, "cut", { data: "2" });
    await h.publish(base, "cut", { data: "3" });
    await s.count(3);
    s.source.close();
    const seen = await h.seen(base);
    return [state !== 2, s.data(), seen[0], seen.at(-1) === s.events[0].lastEventId];
  }, [true, ["1", "2", "3"], "", true]],

  "100 cuts lose nothing": [async (base, h) => {
    const s = h.follow(base + "/events?topic=cuts");
    await s.open;
    for (let i = 0; i < 100; i++) {
      await h.publish(base, "cuts", { data: String(i) });
      if (i % 3 === 0) await h.cut(base, 0);
    }
    await s.count(100);
    s.source.close();
    return s.data().every((d, i) => d === String(i)) && s.events.length;
  }, 100],

  "a stream that is reset comes back as well": [async (base, h) => {
    const s = h.follow(base + "/events?topic=reset&abort=1");
    await s.open;
    await h.publish(base, "reset", { data: "1" });
    await s.count(1);
    for (let i = 2; i < 10; i++) {
      await h.cut(base, 0);
      await h.publish(base, "reset", { data: String(i) });
      await s.count(i);
    }
    s.source.close();
    return s.data().join("");
  }, "123456789"],

  "close stops events and reconnecting": [async (base, h) => {
    const s = h.follow(base + "/events?topic=close"), other = h.follow(base + "/events?topic=close");
    await Promise.all([s.open, other.open]);
    s.source.close();
    await h.publish(base, "close", { data: "late" });
    await other.count(1);
    other.source.close();
    return [s.source.readyState, s.events.length];
  }, [2, 0]],

  "two streams are apart": [async (base, h) => {
    const a = h.follow(base + "/events?topic=one"), b = h.follow(base + "/events?topic=two");
    await Promise.all([a.open, b.open]);
    await h.publish(base, "one", { data: "1" });
    await h.publish(base, "two", { data: "2" });
    await Promise.all([a.count(1), b.count(1)]);
    a.source.close();
    b.source.close();
    return [a.data(), b.data()];
  }, [["1"], ["2"]]],

  "a large event": [async (base, h) => {
    const s = h.follow(base + "/events?topic=large");
    await s.open;
    const data = "é😀x\n".repeat(50_000);
    await h.publish(base, "large", { data });
    await s.count(1);
    s.source.close();
    return s.events[0].data === data;
  }, true],

  "a stream of another origin, with and without credentials": [async (base, h) => {
    const far = base.replace("127.0.0.1", "localhost");
    const out = [];
    for (const withCredentials of [false, true]) {
      const s = h.follow(far + "/events?topic=cors", [], { withCredentials });
      await s.open;
      await h.publish(base, "cors", { data: "x" });
      await s.count(1);
      s.source.close();
      out.push(s.source.withCredentials, s.data(), s.events[0].origin === new URL(far).origin);
    }
    return out;
  }, [false, ["x"], true, true, ["x"], true]],

  "what is no stream ends it for good": [async (base, h) => {
    const out = [];
    for (const answer of ["204", "403", "500", "text"]) {
      const s = h.follow(`${base}/events?topic=x&answer=${answer}`);
      await s.failed;
      out.push(s.source.readyState);
      s.source.close();
    }
    return out;
  }, [2, 2, 2, 2]],

  "inside a worker": [async (base, h) => {
    const code = `const s = new EventSource(${JSON.stringify(base + "/events?topic=worker")}); s.onopen = () => postMessage("open"); s.onmessage = (e) => { s.close(); postMessage(e.data); };`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const next = () => new Promise((done) => { worker.onmessage = (e) => done(e.data); });
    const opened = await next();
    const message = next();
    await h.publish(base, "worker", { data: "hello" });
    const out = [opened, await message];
    worker.terminate();
    return out;
  }, ["open", "hello"]],
};

for (const [protocol, url] of Object.entries(sites)) {
  test(`the browser speaks ${protocol}`, async () => {
    assert.equal(await pages[protocol].evaluate(async () => (await fetch("/protocol")).text()), protocol);
  });

  // The same set of cases passes with both.
  for (const server of ["reference", "hub"]) {
    for (const [name, [run, want]] of Object.entries(cases)) {
      test(`${protocol}, ${server}: ${name}`, async () => {
        const got = await pages[protocol].evaluate(`(${run})(${JSON.stringify(url + "/" + server)}, helpers)`);
        assert.deepEqual(got, want);
      });
    }
  }

  test(`${protocol}: the browser, the oracle and the reader agree on every body`, async () => {
    const wrong = await pages[protocol].evaluate(async () => {
      const bodies = await (await fetch("/raw")).json();
      const wrong = bodies.length > 200 ? [] : ["too few bodies"];
      const one = (i) => new Promise((done) => {
        const want = bodies[i].events ?? [];
        const source = new EventSource(`/raw/${i}`), got = [];
        for (const type of new Set(["message", ...want.map((e) => e[1])])) {
          if (type !== "error" && type !== "open") source.addEventListener(type, (e) => got.push([e.lastEventId, e.type, e.data]));
        }
        source.onerror = () => { // the end of the body
          source.close();
          if (JSON.stringify(got) !== JSON.stringify(want)) wrong.push({ body: bodies[i].body, got, want });
          done();
        };
      });
      for (let i = 0; i < bodies.length; i += 5) await Promise.all([0, 1, 2, 3, 4].filter((k) => i + k < bodies.length).map((k) => one(i + k)));
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });
}

const secure = sites["HTTP/2.0"];

// By HTTP/1.1 the seventh would wait for ever.
test("a hundred streams share one connection", async () => {
  const got = await pages["HTTP/2.0"].evaluate(async (base) => {
    const all = Array.from({ length: 100 }, () => helpers.follow(base + "/events?topic=many"));
    await Promise.all(all.map((s) => s.open));
    for (const data of ["1", "2", "3"]) await helpers.publish(base, "many", { data });
    await Promise.all(all.map((s) => s.count(3)));
    for (const s of all) s.source.close();
    return [all.filter((s) => s.data().join() === "1,2,3").length, await (await fetch(base + "/origins?topic=many")).json()];
  }, secure + "/hub");
  assert.deepEqual(got, [100, 1]);
});

test("a handler that leaves its write deadline set has its idle stream reset", async () => {
  const state = await pages["HTTP/2.0"].evaluate(async (url) => {
    const s = helpers.follow(url);
    await s.open;
    await s.failed;
    const state = s.source.readyState;
    s.source.close();
    return state;
  }, secure + "/careless");
  assert.equal(state, 0); // it connects anew
});

// A machine that takes as long as the timeout for one write is no evidence: there is more time at the next try.
test("the hub's write deadline does not reset an idle stream", async () => {
  const connections = [];
  for (const seconds of [1, 5, 25]) {
    connections.push(await pages["HTTP/2.0"].evaluate(async ({ base, wait }) => {
      const s = helpers.follow(base + "/events?topic=idle");
      await s.open;
      await helpers.publish(base, "idle", { data: "1" });
      await s.count(1);
      await new Promise((done) => setTimeout(done, wait));
      await helpers.publish(base, "idle", { data: "2" });
      await s.count(2);
      s.source.close();
      return (await helpers.seen(base)).length;
    }, { base: secure + "/idle" + seconds, wait: seconds * 2500 }));
    if (connections.at(-1) === 1) return;
  }
  assert.fail(`an idle stream took ${connections} connections`);
});

test("zmy-sse.js: payloads, a reset, and a view", async () => {
  const got = await pages["HTTP/1.1"].evaluate(async (base) => {
    const { EventStream, types } = await import("/zmy-sse.js");
    const { Order } = types(await (await fetch("/zmy.lock")).text());
    const seen = [];
    let more = () => {};
    const note = (...what) => { seen.push(what); more(); };
    const s = new EventStream(base + "/events?topic=module", { decode: { order: Order, json: "json", bytes: "bytes" }, lastEventId: "1-1" });
    s.on("reset", ({ reason }) => note("reset", reason)).on("message", (text) => note("message", text)).on("json", (v) => note("json", v.a))
      .on("bytes", (b) => note("bytes", [...b])).on("order", (o) => note("order", o.ID, [...o.Items].map((i) => [i.Sku, i.Price, i.Qty]), o.Timestamp.toDate().getTime()))
      .on("error", ({ error }) => note("error", String(error)));
    const until = (n) => new Promise((done) => { more = () => seen.length >= n && done(); more(); });
    await until(1);
    await helpers.publish(base, "module", { data: "text\nof two lines" });
    await helpers.publish(base, "module", { type: "json", data: '{"a": [1]}' });
    await helpers.publish(base, "module", { type: "bytes", base64: "AAoN/w==" });
    await fetch(base + "/order?topic=module", { method: "POST" });
    await until(5);
    s.close();
    return seen;
  }, sites["HTTP/1.1"] + "/hub");
  assert.deepEqual(got, [["reset", "epoch"], ["message", "text\nof two lines"], ["json", [1]], ["bytes", [0, 10, 13, 255]],
    ["order", "A1", [["x", 1.5, 2], ["y", -2, 7]], Date.UTC(2026, 10, 21)]]);
});

test("zmy-sse.js: an answer that makes browsers give up is survived", async () => {
  const got = await pages["HTTP/1.1"].evaluate(async (base) => {
    const { EventStream } = await import("/zmy-sse.js");
    const s = new EventStream(base + "/events?topic=survive", { retry: 10 });
    const seen = [];
    await new Promise((done) => s.on("open", done));
    s.on("message", (v) => seen.push(v));
    const count = (n) => new Promise((done) => s.on("message", () => seen.length >= n && done()));
    const one = count(1);
    await helpers.publish(base, "survive", { data: "1" });
    await one;
    const two = count(2);
    await helpers.cut(base, 0, 3); // three times 500
    await helpers.publish(base, "survive", { data: "2" });
    await two;
    s.close();
    return seen;
  }, sites["HTTP/1.1"] + "/hub");
  assert.deepEqual(got, ["1", "2"]);
});
