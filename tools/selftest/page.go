package selftest

import (
	"context"
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
// silence about the report would mean nothing.
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
