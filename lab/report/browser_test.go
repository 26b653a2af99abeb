package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/zmylab/zmy/internal/browsertest"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// tab is one page of a real headless Chromium.
type tab struct {
	t     *testing.T
	ctx   context.Context
	mu    sync.Mutex
	wrong []string // console messages, exceptions, requests: there must be none
}

// open starts the browser, or skips the test loudly.
func open(t *testing.T) *tab {
	t.Helper()
	path := browsertest.Chromium(t)
	dir, err := os.MkdirTemp("", "zmy-report-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the browser's children may still write for a moment
		for range 30 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(dir),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	b.must("start", chromedp.Do(ctx))
	b.must("listen", chromedp.Listen(ctx, b.event))
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	b.must("network", err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	b.must("log", err)
	_, err = chromedp.Call(ctx, runtime.Enable, cdp.Empty{})
	b.must("runtime", err)
	return b
}

func (b *tab) must(what string, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

func (b *tab) event(ev any) {
	bad := ""
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		bad = fmt.Sprint("console: ", e.Type)
	case *runtime.EventExceptionThrown:
		bad = fmt.Sprintf("exception: %+v", e.ExceptionDetails)
	case *log.EventEntryAdded:
		bad = fmt.Sprint("browser log: ", e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; u != "data:," && !(strings.HasPrefix(u, "file://") && strings.HasSuffix(u, "/index.html")) {
			bad = "request: " + u
		}
	}
	if bad != "" {
		b.mu.Lock()
		b.wrong = append(b.wrong, bad)
		b.mu.Unlock()
	}
}

// clean fails the test for whatever was seen since it was last asked.
func (b *tab) clean(what string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.wrong {
		b.t.Errorf("%s: %s", what, s)
	}
	b.wrong = nil
}

// keep writes a picture into ZMY_SCREENSHOTS, if that is set.
func (b *tab) keep(what string) {
	b.t.Helper()
	if dir := os.Getenv("ZMY_SCREENSHOTS"); dir != "" {
		shot, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
		b.must("screenshot", err)
		b.must("screenshot", os.WriteFile(filepath.Join(dir, what+".png"), shot, 0o644))
	}
}

func (b *tab) goTo(url string, width int64, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	b.must("colour scheme", err)
	b.must("open", chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(url),
		chromedp.WaitReady(chromedp.CSS("footer"))))
}

func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	b.must(js, err)
	return v
}

func writePage(t *testing.T, r *run.Run) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(name, []byte(render(t, r)), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// The page opens from a file with no request, no console message, no sideways
// scrolling and no markup from the run's own text, at every width and in both
// colour schemes. ZMY_SCREENSHOTS=DIR keeps a picture of each.
func TestHTMLInChromium(t *testing.T) {
	b := open(t)
	for _, page := range []struct {
		name string
		r    *run.Run
	}{
		{"full", browsed()},
		{"partial", filled(runtest.Options{Launches: 2, Rounds: 9, Partial: true})},
		{"hostile", ruined()},
	} {
		url := writePage(t, page.r)
		for _, look := range []struct { // a scheme changes no widths, and a width few colours
			width  int64
			scheme string
		}{{1400, "light"}, {1400, "dark"}, {768, "light"}, {390, "dark"}} {
			what := fmt.Sprintf("%s-%d-%s", page.name, look.width, look.scheme)
			b.goTo(url, look.width, look.scheme)
			if over := eval[float64](b, `Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth`); over > 0 {
				t.Errorf("%s: the page scrolls sideways by %v px", what, over)
			}
			if out := eval[[]string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll") && `+
				`!e.closest(".vh, .skip") && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + "." + e.className)`); len(out) > 0 {
				t.Errorf("%s: these stick out: %v", what, out)
			}
			if eval[bool](b, `window.evil !== undefined || document.querySelectorAll("main script, main img, header img").length > 0`) {
				t.Errorf("%s: text from the run became markup", what)
			}
			if low := eval[[]string](b, contrast); len(low) > 0 {
				t.Errorf("%s: too little contrast: %v", what, low)
			}
			b.clean(what)
			b.keep(what)
		}
	}
}

// browsed is a run with every experiment, whose flame graphs have hundreds of frames in place
// of thousands: browsers are asked to lay it out a few dozen times.
func browsed() *run.Run {
	r := explored()
	var thin func(f *run.Frame, least float64)
	thin = func(f *run.Frame, least float64) {
		f.Calls = slices.DeleteFunc(f.Calls, func(c *run.Frame) bool { return c.Value < least })
		for _, c := range f.Calls {
			thin(c, least)
		}
	}
	for _, x := range r.Experiments {
		for _, c := range x.Charts {
			if c.Flame != nil {
				thin(c.Flame, c.Flame.Value/100)
			}
		}
	}
	return r
}

// contrast lists texts whose contrast with what is behind them is below 4.5,
// the minimum of WCAG 2.2 (1.4.3).
const contrast = `(() => {
	const rgb = (s) => s.match(/[\d.]+/g).map(Number);
	const light = (c) => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
	const low = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("svg, .vh, .skip, script, option") || !e.getClientRects().length) continue;
		if (!Array.from(e.childNodes).some(n => n.nodeType === 3 && n.data.trim())) continue;
		let behind = [255, 255, 255], p = e;
		for (; p; p = p.parentElement) { const c = rgb(getComputedStyle(p).backgroundColor); if (c.length < 4 || c[3] > 0.99) { behind = c; break; } }
		const a = light(rgb(getComputedStyle(e).color)), b = light(behind);
		const r = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (r < 4.5) low.add(e.tagName + "." + e.className + " " + r.toFixed(2));
	}
	return Array.from(low);
})()`

// Printed, the page shows every operation and mode, whatever was chosen on it.
func TestHTMLInPrint(t *testing.T) {
	b := open(t)
	r := browsed()
	runtest.Many(r)
	b.goTo(writePage(t, r), 800, "dark")
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.must("print", err)
	if got := eval[string](b, `[...document.querySelectorAll(".panel")].map(p => [...p.querySelectorAll("tbody tr")].filter(r => `+
		`r.offsetHeight > 0).length).join(" ") + " " + getComputedStyle(document.querySelector("#weights")).display + " " + `+
		`getComputedStyle(document.body).backgroundColor`); got != "32 32 16 none rgb(255, 255, 255)" {
		t.Errorf("in print: %s", got)
	}
	if got := eval[string](b, `[...document.querySelectorAll("figure.fig")].filter(f => f.offsetHeight < 20).map(f => `+
		`f.id).join(" ") + [...document.querySelectorAll(".figtabs, .flame .controls, .copy")].filter(f => f.offsetHeight > `+
		`0).map(f => f.className).join(" ")`); got != "" {
		t.Errorf("in print hidden or useless: %s", got)
	}
	b.keep("print")
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	b.must("pdf", err)
	if len(pdf) < 10_000 {
		t.Errorf("a PDF of %d bytes", len(pdf))
	}
	b.clean("print")
}

func TestHTMLScript(t *testing.T) {
	b := open(t)
	b.goTo(writePage(t, filled(runtest.Options{})), 1400, "light")
	const names = `Array.from(document.querySelectorAll("#rank-table tbody tr")).map(r => r.dataset.codec)`
	measured := eval[[]string](b, names)
	if len(measured) != 16 || measured[0] != "zmy" {
		t.Fatalf("measured order %v", measured)
	}

	// weigh moves sliders as a user would and returns the new order.
	weigh := func(weights string) []string {
		t.Helper()
		return eval[[]string](b, `(() => { const f = document.querySelector("#weights");
			for (const [n, v] of Object.entries(`+weights+`)) f.elements[n].value = v;
			f.dispatchEvent(new Event("input", {bubbles: true})); return `+names+`; })()`)
	}
	order := weigh(`{enc: 0, dec: 0, bytes: 100}`)
	if order[0] != "vtprotobuf" && order[0] != "protobuf" {
		t.Errorf("by size alone: %v", order)
	}
	if place := eval[string](b, `document.querySelector("#rank-table tbody tr").cells[0].textContent`); place != "1" {
		t.Errorf("the first by size has place %q", place)
	}
	if say := eval[string](b, `document.querySelector(".weights-say").textContent`); !strings.Contains(say, "With these weights: "+order[0]) {
		t.Errorf("said %q", say)
	}
	order = weigh(`{enc: 0, dec: 0, bytes: 0, access: 100}`)
	if order[0] != "zmy" {
		t.Errorf("by access alone: %v", order)
	}
	for i, n := range order[:13] {
		if n == "nothing" || n == "ffjson" {
			t.Errorf("%s is not ranked, yet weights place it %d", n, i+1)
		}
	}
	if order = weigh(`{enc: 0, dec: 0, bytes: 0, access: 0, allocs: 0}`); fmt.Sprint(order) != fmt.Sprint(measured) {
		t.Errorf("all weights zero: %v", order)
	}
	weigh(`{allocs: 100}`)
	order = eval[[]string](b, `(() => { document.querySelector("#weights button[type=reset]").click(); return `+names+`; })()`)
	if fmt.Sprint(order) != fmt.Sprint(measured) {
		t.Errorf("reset: %v", order)
	}

	order = eval[[]string](b, `(() => { Array.from(document.querySelectorAll("#rank-table thead button")).find(x => `+
		`x.textContent.startsWith("decode")).click(); return `+names+`; })()`)
	if order[0] != "nothing" || order[len(order)-1] != "gob" {
		t.Errorf("sorted by decode time: %v", order)
	}

	const visible = `Array.from(document.querySelectorAll(".panel")).filter(p => !p.hidden).map(p => p.dataset.panel + ":" + ` +
		`Array.from(p.querySelectorAll("tbody tr")).filter(r => !r.hidden).length)`
	for _, c := range []struct{ click, want string }{
		{"", "[encode:16]"},
		{"decode", "[decode:16]"},
		{"all modes", "[decode:32]"},
		{"reused", "[decode:16]"},
		{"access", "[access:16]"},
	} {
		if c.click != "" {
			eval[bool](b, `(Array.from(document.querySelectorAll(".tabs button")).find(x => x.textContent === "`+c.click+`").click(), true)`)
		}
		if got := fmt.Sprint(eval[[]string](b, visible)); got != c.want {
			t.Errorf("after %q: %v, want %s", c.click, got, c.want)
		}
	}
	b.clean("script")
}

func TestHTMLWithoutScript(t *testing.T) {
	b := open(t)
	_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.must("no script", err)
	b.goTo(writePage(t, filled(runtest.Options{})), 1400, "light")
	// The page's own script never ran; the inspector may still ask.
	_, err = chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
	b.must("script for the inspector", err)
	got := eval[string](b, `[Array.from(document.querySelectorAll(".panel")).map(p => p.offsetHeight > 100), `+
		`getComputedStyle(document.querySelector("#weights")).display, document.querySelectorAll("#rank-table tbody tr").length, `+
		`document.querySelectorAll("thead button").length].join(" ")`)
	if got != "true,true,true none 16 0" {
		t.Errorf("without JavaScript: %s", got)
	}
	text := eval[string](b, `document.querySelector("main").innerText`)
	for _, want := range []string{"zmy", "Both ends Go", "order.go:31", "95% interval", "flatc is not installed", "Repeat this run",
		"reused"} {
		if !strings.Contains(text, want) {
			t.Errorf("without JavaScript the page lacks %q", want)
		}
	}
}
