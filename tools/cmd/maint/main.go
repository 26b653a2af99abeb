// Maint has the commands for the maintainers of this project. The Makefile builds it as bin/maint
// and calls it.
//
//	maint goals         measure what the project wants to reach (make goals)
//	maint selftest      measure what is known, to see that the lab finds it (make selftest)
//	maint contender     begin a new contender of the lab
//	maint pin           pin the modules of contenders anew
//	maint published     measure what published figures are compared with and the lab does not show
//	maint peers         list the libraries that the lab measures, and raise their versions
//	maint release       make a release of all Go modules (make release)
//	maint modules       list the folders of the modules that are released
//	maint api           compare the API with that of the latest release (make api)
//	maint licences      check the licences of modules of others (make licences)
//	maint site          build the documentation as a site (make site)
//	maint instructions  count the instructions of codecs as amd64 and as arm64 code
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/tools/goals"
)

// Exit codes; those of goals are in its help text.
const (
	exitOK           = 0
	exitInternal     = 1
	exitUsage        = 2
	exitInconclusive = 5
	exitStopped      = 130
)

const usage = `usage: maint COMMAND [flags]

  goals         measure what the project wants to reach, on its own examples and benchmarks
  selftest      measure what is known, to see that the lab finds it
  contender     begin a new contender of the lab
  pin           pin the modules of contenders anew
  published     measure what published figures are compared with and the lab does not show
  peers         list the libraries that the lab measures, and raise their versions
  release       make a release of all Go modules, for a maintainer to push
  modules       list the folders of the modules that are released
  api           compare the API with that of the latest release
  licences      check the licences of modules of others
  site          build the documentation as a site, and check it
  instructions  count the instructions of codecs as amd64 and as arm64 code

maint COMMAND -h lists the flags.
`

// program is this program's name in reports.
const program = "maint"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	switch name, args := args[0], args[1:]; name {
	case "goals":
		return goals.Main(ctx, args, stdout, stderr, goalRunner{newProgress(stderr)})
	case "selftest":
		return runSelftest(ctx, args, stdout, stderr)
	case "contender", "pin":
		return runContenders(ctx, name, args, stdout, stderr)
	case "published":
		return runPublished(ctx, args, stdout, stderr)
	case "peers":
		return runPeers(ctx, args, stdout, stderr)
	case "release":
		return runRelease(ctx, args, stdout, stderr)
	case "modules":
		return runModules(ctx, args, stdout, stderr)
	case "api":
		return runAPI(ctx, args, stdout, stderr)
	case "licences":
		return runLicences(ctx, args, stdout, stderr)
	case "site":
		return runSite(ctx, args, stdout, stderr)
	case "instructions":
		return runInstructions(ctx, args, stdout, stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return exitOK
	default:
		fmt.Fprintf(stderr, "maint: there is no command %q\n%s", name, usage)
		return exitUsage
	}
}

// progress prints what a run of the lab is doing, one line for each step. It is a lab.UI.
type progress struct {
	w     io.Writer
	start time.Time
	said  time.Time // when rounds were last reported
	phase string    // phase that was last reported
}

func newProgress(w io.Writer) *progress { return &progress{w: w, start: time.Now()} }

// Doing prints the seconds since the start, followed by text.
func (p *progress) Doing(text string) {
	fmt.Fprintf(p.w, "%3.0fs %s\n", time.Since(p.start).Seconds(), text)
}

// Say prints what a run takes.
func (p *progress) Say(text string) { fmt.Fprintln(p.w, "  "+text) }

// Note prints why a contender is not measured.
func (p *progress) Note(text string) { fmt.Fprintln(p.w, "  ✗ "+text) }

// First prints nothing: goals are judged when all rounds are over.
func (p *progress) First(*run.Contender, []*run.Cell) {}

// Rounds prints how much of the budget is used, every ten seconds and when the phase changes.
func (p *progress) Rounds(phase string, spent, budget time.Duration) {
	if phase == p.phase && time.Since(p.said) < 10*time.Second {
		return
	}
	p.said, p.phase = time.Now(), phase
	p.Doing(fmt.Sprintf("measuring: %s, %.0f of %.0f s", phase, spent.Seconds(), budget.Seconds()))
}
