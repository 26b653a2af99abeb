// Drives the page named by ZMY_REPORT in the Chromium named by ZMY_CHROMIUM as a reader
// does: sliders, tabs, sorting, flame graphs, inputs, copying; and looks for faults of
// accessibility with axe-core. TestInBrowser writes the page and runs this.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const url = pathToFileURL(process.env.ZMY_REPORT).href;
let browser, page, wrong;

after(() => browser.close());

const open = async (options) => {
  if (page) await page.context().close();
  // The inspector's own scripts would be stopped by the page's policy.
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1300, height: 900 }, ...options });
  page = await context.newPage();
  wrong = [];
  page.on("console", (m) => wrong.push("console: " + m.text()));
  page.on("pageerror", (e) => wrong.push("exception: " + e.message));
  page.on("request", (r) => { if (r.url() !== url && !r.url().startsWith("data:")) wrong.push("request: " + r.url()); });
  await page.goto(url);
};

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.ZMY_CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  await open(); // one page for all tests: each works on a part of its own, or brings back what it changed
});

const names = () => page.locator("#rank-table tbody tr").evaluateAll((rows) => rows.map((r) => r.dataset.codec));
// reset clicks the button that brings a form's defaults back, and returns what a cell shows as soon as the click is over.
const reset = (form, cell) => page.evaluate(([form, cell]) => {
  document.querySelector(form + " button[type=reset]").click();
  return document.querySelector(cell).textContent;
}, [form, cell]);
const nothingWrong = () => assert.deepEqual(wrong, []);

test("sliders rank anew, and the reset button brings the measured ranking back", async () => {
  const measured = await names();
  assert.equal(measured[0], "zmy");
  const slider = (name) => page.getByRole("slider", { name });
  for (const name of ["encode time", "decode time"]) await slider(name).fill("0");
  await slider("size").fill("100");
  const bySize = await names();
  assert.notEqual(bySize[0], "zmy");
  assert.match(await page.locator(".weights-say").textContent(), new RegExp("With these weights: " + bySize[0]));
  assert.equal(await page.locator("#rank-table tbody tr").first().locator("td").first().textContent(), "1");
  assert.match(await reset("#weights", "#rank-table tbody tr th"), /^zmy\b/);
  assert.deepEqual(await names(), measured);
  // A slider answers to the keyboard as well.
  await slider("allocations").focus();
  await page.keyboard.press("End");
  assert.equal(await slider("allocations").inputValue(), "100");
  nothingWrong();
});

test("a click on a head sorts, a second one turns it around", async () => {
  const head = page.locator("#rank-table thead").getByRole("button", { name: "decode" });
  await head.click();
  const up = await names();
  assert.equal(await page.locator("#rank-table th[aria-sort=ascending]").count(), 1);
  await head.click();
  const down = await names();
  assert.deepEqual(down, up.toReversed());
  // Every table that can be sorted: its numbers are in order after a click.
  for (const table of await page.locator("#x-latency table[data-sort]").all()) {
    const heads = table.locator("thead button");
    for (let i = 0; i < await heads.count(); i++) {
      await heads.nth(i).click();
      const values = await table.locator("tbody tr").evaluateAll((rows, i) => rows.map((r) => r.cells[i].dataset.v).filter((v) => v !== undefined).map(Number), i);
      assert.deepEqual(values, values.toSorted((a, b) => a - b));
    }
  }
  nothingWrong();
});

test("tabs show one operation and mode, or all modes", async () => {
  const tab = (name) => page.locator("#operations").getByRole("button", { name, exact: true });
  const rows = () => page.locator("#operations tbody tr:visible").count();
  const one = await rows();
  await tab("decode").click();
  assert.equal(await page.locator(".panel:visible").getAttribute("data-panel"), "decode");
  assert.equal(await rows(), one);
  await tab("all modes").click();
  assert.ok(await rows() > one);
  assert.equal(await tab("all modes").getAttribute("aria-pressed"), "true");
  nothingWrong();
});

test("an experiment of many figures shows one, another, or all", async () => {
  const box = page.locator("#x-many"), figures = box.locator("figure:visible");
  assert.equal(await figures.count(), 1);
  const last = (await box.locator("figure").last().getAttribute("data-title"));
  await box.locator(".figtabs").getByRole("button", { name: last, exact: true }).click();
  assert.equal(await figures.count(), 1);
  assert.equal(await figures.getAttribute("data-title"), last);
  const beside = await box.locator("figure[data-beside]").getAttribute("data-title");
  await box.locator(".figtabs").getByRole("button", { name: beside }).click(); // it has a tab with the one before
  assert.equal(await figures.count(), 2);
  assert.equal(await figures.last().getAttribute("data-title"), beside);
  await box.locator(".figtabs").getByRole("button", { name: "all", exact: true }).click();
  assert.equal(await figures.count(), await box.locator("figure").count());
  nothingWrong();
});

test("a click on a series hides its line and brings it back", async () => {
  const figure = page.locator("#x-latency-1"), line = figure.locator('g[data-s="1"]');
  const key = figure.getByRole("button", { name: "fxjson" });
  await key.click();
  assert.equal(await key.getAttribute("aria-pressed"), "false");
  assert.ok(await line.isHidden());
  await key.click();
  assert.ok(await line.isVisible());
  nothingWrong();
});

test("a flame graph zooms by click and key, finds functions, and reads as a list", async () => {
  const flame = page.locator("#x-profile-1 .flame"), frame = flame.locator(".frames li > span");
  const width = async (i) => Math.round((await frame.nth(i).boundingBox())?.width ?? 0);
  const whole = await width(0), before = await width(2);
  assert.ok(before > 50 && before < whole - 50, `${before} of ${whole}`);
  await frame.nth(2).click();
  assert.equal(await width(2), whole);
  assert.ok(await flame.locator("li.beside").first().isHidden());
  assert.match(await flame.locator(".flame-say").textContent(), /Unmarshal · \d+% of all/);
  await flame.getByRole("button", { name: "Reset zoom" }).click();
  assert.equal(await width(2), before);

  await frame.first().focus();
  for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  const focused = flame.locator(".frames span:focus");
  assert.equal(Math.round((await focused.boundingBox()).width), whole);
  await page.keyboard.press("Escape");
  assert.equal(await width(2), before);

  await flame.getByRole("searchbox").fill("mallocgc");
  const hits = await flame.locator("li.hit").count();
  assert.ok(hits > 3);
  assert.match(await flame.getByRole("status").textContent(), new RegExp(`^${hits} frames, [\\d.]+% of all$`));
  await flame.getByRole("searchbox").fill("");
  assert.equal(await flame.locator("li.hit").count(), 0);

  await flame.getByRole("button", { name: "As a list" }).click();
  assert.ok(await flame.locator(".frames small").first().isVisible());
  assert.match(await flame.locator(".frames").innerText(), /main\.loop 100%/);
  nothingWrong();
});

test("a differential flame graph colours what grew and what shrank", async () => {
  const colour = (c) => page.locator(`#x-profile-3 .frames .${c} > span`).first().evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.notEqual(await colour("up2"), await colour("dn2"));
  assert.match(await page.locator("#x-profile-3 .frames .up2 > small").first().textContent(), /\+\d/);
});

test("the capacity table follows load and prices", async () => {
  const row = page.locator("#capacity-table tbody tr").filter({ hasText: "std-json" }), number = async (i) => Number((await row.locator("td").nth(i).textContent()).replace(/[^\d.]/g, ""));
  const cores = await number(2), cost = await number(4);
  const first = await page.locator("#capacity-table tbody td:nth-of-type(3)").first().textContent();
  await page.getByLabel("messages a second").fill("200000");
  assert.ok(Math.abs(await number(2) / cores - 2) < 0.02);
  assert.ok(Math.abs(await number(4) / cost - 2) < 0.02);
  await page.getByLabel("price of 1 GB sent").fill("0");
  await page.getByLabel("price of a core, per hour").fill("0");
  assert.equal(await number(4), 0);
  assert.equal(await reset("#capacity-form", "#capacity-table tbody td:nth-of-type(3)"), first);
  assert.equal(await number(2), cores);
  nothingWrong();
});

test("the command is copied", async () => {
  await open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#environment").getByRole("button", { name: "Copy" }).click();
  await page.locator("#environment").getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^zmy lab -type Order .*\.\/order$/);
});

test("next steps are numbered blocks to copy, and doubts are behind one line", async () => {
  const steps = page.locator("#next ol.next > li"), n = await steps.count();
  assert.ok(n >= 3);
  const block = steps.filter({ has: page.locator("pre.cmd") }).first();
  const code = (await block.locator("code").textContent()).trim();
  await block.getByRole("button", { name: "Copy" }).click();
  await block.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), code);
  const doubts = page.locator("#next details.doubts");
  assert.ok((await doubts.locator("summary").boundingBox()).height < 30);
  assert.ok(await doubts.locator("li").first().isHidden());
  await doubts.locator("summary").click();
  assert.ok(await doubts.locator("li").first().isVisible());
  const ranking = await page.locator("#ranking").boundingBox(), next = await page.locator("#next").boundingBox();
  assert.ok(ranking.y < next.y);
  nothingWrong();
});

for (const [colorScheme, width] of [["light", 1300], ["dark", 390]]) {
  test(`axe finds no serious fault: ${colorScheme}, ${width} px`, async () => {
    await open({ colorScheme, viewport: { width, height: 900 } });
    await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
    await page.getByRole("searchbox").first().fill("mallocgc");
    // Thousands of frames differ in their text alone: those of the first levels stand for all.
    await page.locator(".frames ul ul ul").evaluateAll((all) => all.forEach((u) => u.remove()));
    await page.evaluate(axe);
    // Contrast takes axe most of its time, and TestHTMLInChromium measures it of every text.
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } } }));
    const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160)).join(" | ")}`), []);
    nothingWrong();
  });
}
