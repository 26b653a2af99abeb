// Has a browser look at the live page as a visitor does. Run by TestPageInBrowser of the folder above, which serves the
// page at ZMY_URL, with an order every 50 ms, and cuts all connections on POST /test/cut.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createRequire } from "node:module";

const require = createRequire(process.env.ZMY_MODULES + "/");
const { chromium } = require("playwright-core");
const url = process.env.ZMY_URL;
let browser, page, complaints;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.ZMY_CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(() => browser.close());

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  complaints = [];
  page.on("pageerror", (e) => complaints.push(String(e)));
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  await page.goto(url);
});

const text = (id) => page.locator("#" + id).textContent();
const count = async () => Number(await text("count"));

// come waits for n more events.
async function come(n) {
  const least = await count() + n;
  await page.waitForFunction((least) => Number(document.getElementById("count").textContent) >= least, least);
}

// row is the newest event: ID, order, first item, items, bytes, latency.
const row = () => page.locator("#rows tr").first().locator("td").allTextContents();

// compared is the table of codecs: name, events, latency, decoding, bytes, bytes in the stream.
const compared = () => page.evaluate(() => [...document.querySelectorAll("#compared tr")].map((tr) => [...tr.cells].map((td) => td.textContent)));

test("events come, with their latency, in JSON and in ZMY read in place", async () => {
  await come(3);
  assert.equal(await text("state"), "open");
  const json = await row();
  assert.match(json[0], /^[0-9a-f]+-\d+$/);
  assert.match(json[1], /^ORD-/);
  await page.getByLabel("ZMY, read in place").check();
  await page.waitForFunction(() => document.querySelectorAll("#compared tr").length === 2);
  await come(3);
  const zmy = await row();
  assert.match(zmy[1], /^ORD-/);
  assert.ok(Number(zmy[3]) > 0 && zmy[2].length > 0, `items of ${zmy}`);
  for (const cells of [json, zmy]) assert.match(cells[5], /^\d+(\.\d+)? ms$/);
  assert.match(await text("p50"), /^\d+(\.\d+)? ms$/);
  const [a, b] = await compared();
  assert.deepEqual([a[0], b[0]], ["JSON", "ZMY"]);
  for (const [, events, latency, decoding, bytes, sent] of [a, b]) {
    assert.ok(Number(events) >= 1 && Number(bytes) > 100 && Number(sent) >= Number(bytes), `${events} events of ${bytes} bytes, ${sent} in the stream`);
    for (const ms of [latency, decoding]) assert.match(ms, /^\d+(\.\d+)? ms$/);
  }
  assert.ok(a[4] === a[5] && Number(b[5]) > 1.3 * b[4], "base64 adds a third");
  assert.equal(await text("lost"), "0");
  assert.deepEqual(complaints, []);
});

test("both codecs show the same orders", async () => {
  await page.evaluate(() => { // rows are shown for a moment only
    globalThis.added = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const tr of addedNodes) if (tr.textContent.includes("HAND-1")) globalThis.added.push([...tr.cells].slice(2, 4).map((td) => td.textContent));
      }
    }).observe(document.getElementById("rows"), { childList: true });
  });
  const seen = {};
  for (const codec of ["fxjson", "zmy"]) {
    await page.locator(`input[value=${codec}]`).check();
    await come(1);
    const n = await page.evaluate(() => globalThis.added.length);
    await page.getByText("Add an order").click();
    await page.waitForFunction((n) => globalThis.added.length > n, n);
    seen[codec] = await page.evaluate(() => globalThis.added.at(-1));
  }
  assert.deepEqual(seen, { fxjson: ["HAND-1", "1"], zmy: ["HAND-1", "1"] });
});

test("a connection that is cut comes back, is counted, and misses nothing", async () => {
  await come(2);
  const numbers = () => page.evaluate(() => [...document.querySelectorAll("#rows tr td:first-child")].map((td) => Number(td.textContent.split("-")[1])));
  const last = (await numbers())[0];
  await fetch(url + "/test/cut", { method: "POST" }).catch(() => {}); // it cuts that one as well
  await page.waitForFunction(() => Number(document.getElementById("reconnects").textContent) === 1);
  await page.waitForFunction((last) => {
    const newest = Number(document.querySelector("#rows tr td:first-child").textContent.split("-")[1]);
    return newest > last + 4;
  }, last);
  // Each order is announced once in each codec, so that the log's numbers of one codec are two apart.
  const all = await numbers();
  for (let i = 1; i < all.length; i++) assert.equal(all[i - 1] - all[i], 2, `numbers ${all}`);
  assert.equal(await text("state"), "open");
  assert.equal(await text("lost"), "0");
});

test("pausing, and what is chosen meanwhile", async () => {
  await come(1);
  await page.getByText("Pause").click();
  assert.equal(await text("state"), "paused");
  await page.getByLabel("ZMY, read in place").check();
  assert.equal(await text("state"), "paused", "choosing a codec does not go on");
  const before = await count();
  await page.getByText("Go on").click();
  await page.waitForFunction((n) => Number(document.getElementById("count").textContent) > n, before);
  assert.equal((await compared())[1][0], "ZMY");
  assert.equal(await text("pause"), "Pause");
});

test("one session in every codec", async () => {
  await page.getByText("Ask for /sessions/demo").click();
  await page.waitForFunction(() => document.querySelectorAll("#sizes tr").length >= 5);
  for (const cells of await page.locator("#sizes tr").all()) {
    const [name, type, bytes] = await cells.locator("td").allTextContents();
    assert.ok(Number(bytes) > 100, `${name} as ${type}: ${bytes}`);
  }
  assert.deepEqual(complaints, []);
});

test("no fault of accessibility", async () => {
  await come(1);
  await page.getByText("Pause").click();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(require("node:fs").readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`), [], colorScheme);
  }
});
