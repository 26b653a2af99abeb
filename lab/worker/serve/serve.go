// Package serve is the program of a worker. It makes the values, judges one codec and times it on
// them, and answers the coordinator over two pipes.
//
// NOTE, the map: serve.go reads commands; binding.go is the codec bound to the subject; values.go
// makes and describes the values, keeper.go finds out what has changed since; batch.go times a
// batch of calls, and lookout.go judges some of them; verify.go collects the evidence after the
// last round, with novel.go for values that were never seen and read.go for messages of other
// processes; fidelity.go grades the codec, with edges.go for extreme values and agree.go for its
// other modes; checks.go lists the checks that are not about speed, which honest.go, holds.go,
// after.go, together.go and capable.go make; getter.go reads a leaf from JSON by its path.
//
// Judging and timing are one package, since a codec might behave while it is judged and not while
// it is timed: timed calls are judged by the same functions, on the same values.
package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/zmylab/zmy/lab/worker"
)

// Main serves one codec on the subject's own type. It does not return.
func Main[T any](s worker.Subject[T], c worker.Contender[T]) {
	mainLoop(newBinding[T, T](s, c, nil))
}

// MainNative serves a codec with its own generated type N. Values are made as T and converted
// before anything is measured. It does not return.
func MainNative[T, N any](s worker.Subject[T], c worker.Contender[N], convert func(*T) (N, error)) {
	mainLoop(newBinding(s, c, convert))
}

// mainLoop serves the pipes. The worker exits when the command pipe is closed, even while it serves
// a command, since nobody waits for the answer then.
func mainLoop(h handler) {
	in, out := pipe(worker.FDCommands, "commands"), pipe(worker.FDAnswers, "answers")
	lines := make(chan []byte)
	go func() {
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				os.Exit(0)
			}
			lines <- line
		}
	}()
	if err := serve(h, func() ([]byte, bool) { return <-lines, true }, out); err != nil {
		fmt.Fprintln(os.Stderr, "zmy lab worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// handler answers requests. An error becomes a Failure.
type handler interface {
	handle(q *worker.Request, a *worker.Reply) error
	Scribbled(p any) (text string, ok bool) // whether a panic is a write to sealed memory
}

// serve answers commands until CmdExit, or until next returns false.
func serve(h handler, next func() ([]byte, bool), out io.Writer) error {
	for {
		line, ok := next()
		if !ok {
			return nil
		}
		q, err := worker.ParseRequest(line)
		if err != nil {
			return fmt.Errorf("command %q: %w", line, err)
		}
		if q.Cmd == worker.CmdExit {
			return nil
		}
		if err := json.NewEncoder(out).Encode(answer(h, q)); err != nil {
			return fmt.Errorf("answer to %s: %w", q.Cmd, err)
		}
	}
}

// answer handles one request. A panic becomes a Failure, like an error.
func answer(h handler, q *worker.Request) (a *worker.Reply) {
	a = &worker.Reply{ID: q.ID}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			what, ok := h.Scribbled(p)
			if !ok {
				what = fmt.Sprintf("panic: %v", p)
			}
			a = &worker.Reply{ID: q.ID, Err: &worker.Failure{What: what, Panic: true, Stack: top(string(debug.Stack()))}}
		}
	}()
	if err := h.handle(q, a); err != nil {
		return &worker.Reply{ID: q.ID, Err: &worker.Failure{What: err.Error()}}
	}
	return a
}

// frames is the number of frames of a panic's stack that are reported.
const frames = 6

// top shortens a stack to the frames below the panic itself.
func top(stack string) string {
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		if _, rest, ok := strings.Cut(below, "\n\t"); ok {
			if _, rest, ok = strings.Cut(rest, "\n"); ok {
				stack = rest
			}
		}
	}
	lines := strings.SplitN(stack, "\n", 2*frames+1)
	return strings.TrimSpace(strings.Join(lines[:min(len(lines), 2*frames)], "\n"))
}

func (b *binding[T, N]) handle(q *worker.Request, a *worker.Reply) (err error) {
	if q.Cmd != worker.CmdValues && b.Vals == nil {
		return fmt.Errorf("command %s before values", q.Cmd)
	}
	if q.Cmd != worker.CmdRun {
		b.heap = heap{} // the command may allocate: nothing is known of the heap at the next batch
	}
	switch q.Cmd {
	case worker.CmdValues:
		if a.Values, err = b.values(q); err == nil && q.First && q.Sample == "" && q.Input == worker.InputAsWritten {
			a.First, err = b.First()
		}
	case worker.CmdFirst:
		a.First, err = b.First()
	case worker.CmdDescribe:
		a.Describe = b.describe()
	case worker.CmdFidelity:
		a.Fidelity, err = b.fidelity()
	case worker.CmdChecks:
		a.Checks, err = b.checks()
	case worker.CmdTogether:
		a.Checks = []worker.Check{verdict(worker.CheckTogether, b.checkTogether())}
	case worker.CmdDamage:
		a.Checks, err = b.damaged()
	case worker.CmdSizes:
		a.Sizes, err = b.Sizes(q.Dump)
	case worker.CmdModes:
		a.Modes, err = b.modes()
	case worker.CmdCalibrate:
		a.Calibrate, err = b.Calibrate(q.Op, q.Mode, q.Target)
	case worker.CmdRun:
		a.Run, err = b.run(q)
	case worker.CmdScaling:
		a.Scaling, err = b.Scaling(q)
	case worker.CmdVerify:
		a.Verified, err = b.verify(q)
	case worker.CmdNovel:
		err = b.writeNovel(q.Dump)
	case worker.CmdRead:
		a.Read, err = b.readFile(q)
	default:
		if own := b.Codec.Commands[q.Cmd]; own != nil {
			a.Data, err = own(q.Args)
		} else {
			a.Data, err = b.experiments.Experiment(q)
		}
	}
	return err
}
