package contender

import (
	"context"
	"errors"

	"github.com/zmylab/zmy/lab/run"
)

// Unavailable lists the codecs that belong into the table and could not be had
// when it was made: their rows say so, and with which command to see whether
// that has changed.
func Unavailable() []Info {
	return []Info{
		unavailable("fory", "Apache Fory", "github.com/apache/fory/go/fory"),
		unavailable("bebop", "Bebop for Go", "github.com/200sc/bebop"),
	}
}

// errUnavailable is never seen: the plan refuses before.
var errUnavailable = errors.New("the codec cannot be had")

func unavailable(name, text, module string) Info {
	return Info{
		Name: name, Family: "binary", Text: text, Extra: true,
		Plan: func(*Target) *run.Why {
			return &run.Why{
				What:   "skipped: it cannot be had",
				Reason: "the module proxy refuses " + module + ": 403 Forbidden, this module version is not available",
				Next:   "go list -m -versions " + module,
			}
		},
		Generate: func(context.Context, *Target, Tools) (*Sources, error) { return nil, errUnavailable },
	}
}
