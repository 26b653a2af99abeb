package selftest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/report"
)

// browsers are possible names of a headless Chromium.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// control is a page that does everything that the report must not do.
const control = `<!doctype html><title>x</title><script>console.error("zmy-control")</script><img ` +
	`src="http://zmylab.invalid/pixel.png"><script src="beside.js"></script>`

// page opens the report of the family bad from a file, alone in its folder, in a browser without
// network. First it opens the page control. If the browser does not report what that page does,
// page skips the row, because silence about the report would then mean nothing.
func page(ctx context.Context, b *bench) error {
	const what, expected = "the HTML report under file://", "no request, no console message"
	program := ""
	for _, name := range browsers {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	switch {
	case b.report == "":
		b.skip(what, expected, "there is no report: the family bad did not run")
		return nil
	case program == "":
		b.skip(what, expected, "no chromium in PATH; install it: apt install chromium")
		return nil
	}
	html, err := os.ReadFile(filepath.Join(b.report, report.FileHTML))
	if err != nil {
		return err
	}
	known, err := b.visit(ctx, program, "control", []byte(control))
	if err != nil {
		return err
	}
	for _, sign := range []string{"zmy-control", "zmylab.invalid/pixel.png", "beside.js"} {
		if !strings.Contains(strings.Join(known.signs, "\n"), sign) {
			b.skip(what, expected, fmt.Sprintf("this browser does not tell of %s on a page that has it", sign))
			return nil
		}
	}
	seen, err := b.visit(ctx, program, "report", html)
	if err != nil {
		return err
	}
	found := "none"
	if len(seen.signs) > 0 {
		found = strings.Join(seen.signs, "; ")
	}
	b.check(what, expected, found, len(seen.signs) == 0 && seen.whole)
	return nil
}

// visit opens a page from a folder of its own. It waits a moment after the page's load event.
func (b *bench) visit(ctx context.Context, program, name string, html []byte) (*visited, error) {
	dir, err := b.folder("page-"+name, map[string]string{"index.html": string(html)})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	own := "file://" + filepath.ToSlash(filepath.Join(dir, "index.html"))
	v, err := visit(ctx, program, filepath.Join(b.dir, "browser-"+name), own)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return v, nil
}

// visited is what a browser reported about a page.
type visited struct {
	whole bool     // the page's last element exists
	signs []string // console messages, exceptions, and requests for anything other than the page
}

// NOTE: the browser sends events at any time, but they are read only while a command waits for its
// answer (browser.call). So open ends with commands that wait: what the page does late is still
// seen.

// browser is a Chromium that is controlled through pipes by the Chrome DevTools Protocol. Messages
// are JSON, each followed by a zero byte.
type browser struct {
	in      *os.File
	out     *bufio.Reader
	session string
	next    int // number of the last command
	url     string
	loaded  bool
	visited
}

// visit starts a browser without network, opens the page and ends the browser.
func visit(ctx context.Context, program, profile, url string) (_ *visited, err error) {
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir="+profile,
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe")
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	cmd.ExtraFiles, cmd.WaitDelay = []*os.File{theirIn, theirOut}, 5*time.Second
	err = cmd.Start()
	if err = errors.Join(err, theirIn.Close(), theirOut.Close()); err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	defer func() {
		_ = in.Close() // this ends the browser; its exit code says nothing about the page
		_ = cmd.Wait()
		_ = out.Close()
	}()
	b := &browser{in: in, out: bufio.NewReaderSize(out, 1<<20), url: url}
	return &b.visited, b.open()
}

// open loads the page and checks it.
func (b *browser) open() error {
	var target struct{ TargetID, SessionID string }
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target); err != nil {
		return err
	}
	b.session = target.SessionID
	for _, domain := range []string{"Network", "Log", "Runtime", "Page"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	if err := b.call("Page.navigate", map[string]any{"url": b.url}, nil); err != nil {
		return err
	}
	// Each evaluation also reads the events that have arrived. The last one waits for late effects
	// of scripts.
	const look = `new Promise(done => setTimeout(() => done(document.querySelector("footer") !== null), 500))`
	for tries := 0; !b.loaded || tries < 2; tries++ {
		if tries == 60 {
			return errors.New("the page did not load within 30 s")
		}
		var got struct{ Result struct{ Value bool } }
		if err := b.call("Runtime.evaluate", map[string]any{"expression": look, "awaitPromise": true, "returnByValue": true},
			&got); errors.As(err, new(*refused)) {
			continue // the page was replaced in the meantime
		} else if err != nil {
			return err
		}
		b.whole = got.Result.Value
	}
	_ = b.call("Browser.close", nil, nil) // the browser may end before it answers
	return nil
}

// refused is an error answer of the browser.
type refused struct{ Message string }

func (e *refused) Error() string { return e.Message }

// call sends a command and reads events until its answer arrives.
func (b *browser) call(method string, params any, result any) error {
	b.next++
	text, err := json.Marshal(struct {
		ID        int    `json:"id"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
		SessionID string `json:"sessionId,omitempty"`
	}{b.next, method, params, b.session})
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("%s: the browser ended: %w", method, err)
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *refused
		}
		if err := json.Unmarshal(line[:len(line)-1], &m); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.Method != "":
			b.event(m.Method, m.Params)
		case m.ID == b.next && m.Error != nil:
			return fmt.Errorf("%s: %w", method, m.Error)
		case m.ID == b.next:
			if result == nil {
				return nil
			}
			return json.Unmarshal(m.Result, result)
		}
	}
}

// event records an event that the page should not cause.
func (b *browser) event(method string, params json.RawMessage) {
	var p struct {
		Type    string
		Args    []struct{ Value any }
		Entry   struct{ Text, URL string }
		Request struct{ URL string }
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	sign := ""
	switch method {
	case "Page.loadEventFired":
		b.loaded = true
	case "Runtime.consoleAPICalled":
		sign = fmt.Sprint("console ", p.Type, ": ", p.Args)
	case "Runtime.exceptionThrown":
		sign = "exception: " + string(params[:min(len(params), 200)])
	case "Log.entryAdded":
		sign = "log: " + p.Entry.Text + " " + p.Entry.URL
	case "Network.requestWillBeSent":
		if u := p.Request.URL; u != b.url && !strings.HasPrefix(u, "data:") && u != "about:blank" {
			sign = "request " + u
		}
	}
	if sign != "" {
		b.signs = append(b.signs, sign)
	}
}
