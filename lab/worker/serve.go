package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// Main serves one codec on the subject's own type. It does not return.
func Main[T any](s Subject[T], c Contender[T]) {
	mainLoop(newBinding[T, T](s, c, nil))
}

// MainNative serves a codec with its own generated type N. Values are made as T and converted
// before anything is measured. It does not return.
func MainNative[T, N any](s Subject[T], c Contender[N], convert func(*T) (N, error)) {
	mainLoop(newBinding(s, c, convert))
}

// mainLoop serves the pipes. The worker exits when the command pipe is closed, even while it serves
// a command, since nobody waits for the answer then.
func mainLoop(h handler) {
	in, out := pipe(FDCommands, "commands"), pipe(FDAnswers, "answers")
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
	handle(q *Request, a *Reply) error
	scribbled(p any) (text string, ok bool) // whether a panic is a write to sealed memory
}

// serve answers commands until CmdExit, or until next returns false.
func serve(h handler, next func() ([]byte, bool), out io.Writer) error {
	for {
		line, ok := next()
		if !ok {
			return nil
		}
		q, err := ParseRequest(line)
		if err != nil {
			return fmt.Errorf("command %q: %w", line, err)
		}
		if q.Cmd == CmdExit {
			return nil
		}
		if err := json.NewEncoder(out).Encode(answer(h, q)); err != nil {
			return fmt.Errorf("answer to %s: %w", q.Cmd, err)
		}
	}
}

// answer handles one request. A panic becomes a Failure, like an error.
func answer(h handler, q *Request) (a *Reply) {
	a = &Reply{ID: q.ID}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			what, ok := h.scribbled(p)
			if !ok {
				what = fmt.Sprintf("panic: %v", p)
			}
			a = &Reply{ID: q.ID, Err: &Failure{What: what, Panic: true, Stack: top(string(debug.Stack()))}}
		}
	}()
	if err := h.handle(q, a); err != nil {
		return &Reply{ID: q.ID, Err: &Failure{What: err.Error()}}
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

func (b *binding[T, N]) handle(q *Request, a *Reply) (err error) {
	if q.Cmd != CmdValues && b.vals == nil {
		return fmt.Errorf("command %s before values", q.Cmd)
	}
	if q.Cmd != CmdRun {
		b.heap = heap{}
	}
	switch q.Cmd {
	case CmdValues:
		if a.Values, err = b.values(q); err == nil && q.First && q.Sample == "" && q.Input == InputAsWritten {
			a.First, err = b.first()
		}
	case CmdFirst:
		a.First, err = b.first()
	case CmdDescribe:
		a.Describe = b.describe()
	case CmdFidelity:
		a.Fidelity, err = b.fidelity()
	case CmdChecks:
		a.Checks, err = b.checks()
	case CmdTogether:
		a.Checks = []Check{b.checkTogether()}
	case CmdDamage:
		a.Checks, err = b.damaged()
	case CmdSizes:
		a.Sizes, err = b.sizes(q.Dump)
	case CmdModes:
		a.Modes, err = b.modes()
	case CmdCalibrate:
		a.Calibrate, err = b.calibrate(q.Op, q.Mode, q.Target)
	case CmdRun:
		a.Run, err = b.run(q)
	case CmdScaling:
		a.Scaling, err = b.scaling(q)
	case CmdVerify:
		a.Verified, err = b.verify(q)
	case CmdNovel:
		err = b.writeNovel(q.Dump)
	case CmdRead:
		a.Read, err = b.readFile(q)
	default:
		a.Data, err = b.experiments.experiment(q)
	}
	return err
}
