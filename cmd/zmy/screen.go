package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// screen shows progress on standard error. On a terminal this is one line that is overwritten,
// elsewhere plain lines.
type screen struct {
	w     io.Writer
	live  bool
	width int
	shown bool      // a status line is on the screen, to be overwritten
	last  time.Time // when and for which phase Rounds last printed a plain line
	phase string
	start time.Time
	hold  bool     // keep notes in held until it is known whether the table repeats them
	held  []string // notes that are kept back
}

func newScreen(w io.Writer) *screen {
	s := &screen{w: w, width: 80, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.live = os.Getenv("TERM") != "dumb"
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil && cols > 10 {
			s.width = cols
		}
	}
	return s
}

// clear removes the line of status. Call it before results are printed.
func (s *screen) clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.shown = false
	}
}

// line prints a line that is not overwritten.
func (s *screen) line(text string) {
	s.clear()
	fmt.Fprintln(s.w, text)
}

// status shows what is going on.
func (s *screen) status(text string) {
	if !s.live {
		fmt.Fprintln(s.w, text)
		return
	}
	s.clear()
	if r := []rune(text); len(r) >= s.width {
		text = string(r[:s.width-1])
	}
	fmt.Fprint(s.w, text)
	s.shown = true
}

func (s *screen) Doing(text string) {
	s.status(fmt.Sprintf("%3.0fs %s", time.Since(s.start).Seconds(), text))
}

func (s *screen) Say(text string) { s.line("  " + text) }

func (s *screen) Note(text string) {
	if !s.hold {
		s.line("  ✗ " + text)
		return
	}
	s.held = append(s.held, text)
	if s.live {
		what, _, _ := strings.Cut(text, ":")
		s.status("  ✗ " + what)
	}
}

// release prints the notes that were kept back, except those that the table repeats.
func (s *screen) release(said []string) {
	s.hold = false
	for _, text := range s.held {
		if !slices.Contains(said, text) {
			s.Note(text)
		}
	}
	s.held = nil
}

func (s *screen) First(c *run.Contender, cells []*run.Cell) {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-18s provisional ", c.Name)
	for _, cell := range cells {
		fmt.Fprintf(&b, " %s %.0f ns", cell.Op, cell.Wall.Median)
	}
	fmt.Fprintf(&b, "  %.0f B  %s", c.Sizes.Raw, c.Value.Text())
	s.line(report.Fit(b.String(), s.width))
}

// plainEvery is the least time between two plain lines of Rounds for one phase.
const plainEvery = 10 * time.Second

func (s *screen) Rounds(phase string, spent, budget time.Duration) {
	if !s.live && phase == s.phase && time.Since(s.last) < plainEvery {
		return
	}
	s.last, s.phase = time.Now(), phase
	s.Doing(fmt.Sprintf("measuring: %s, %s", phase, progress(spent, budget)))
}

// progress says how long a measurement has taken. The budget is a plan, not a limit: rounds that
// wait for a busy machine take longer.
func progress(spent, budget time.Duration) string {
	if spent.Round(time.Second) <= budget.Round(time.Second) { // as printed
		return fmt.Sprintf("%.0f of about %.0f s", spent.Seconds(), budget.Seconds())
	}
	return fmt.Sprintf("%.0f s, longer than the %.0f s planned", spent.Seconds(), budget.Seconds())
}
