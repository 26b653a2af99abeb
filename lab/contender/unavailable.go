package contender

import (
	"context"
	"errors"

	"github.com/zmylab/zmy/lab/run"
)

// Unavailable lists the codecs that belong into the table and could not be had
// when it was made: their rows say so, with the command that was refused.
func Unavailable() []Info {
	return []Info{
		unavailable("fory", "Apache Fory", "github.com/apache/fory/go/fory"),
		unavailable("bebop", "Bebop for Go", "github.com/200sc/bebop"),
	}
}

// errUnavailable is never seen: the plan refuses before.
var errUnavailable = errors.New("the codec is not in the lab")

func unavailable(name, text, module string) Info {
	return Info{
		Name: name, Family: "binary", Text: text, Extra: true,
		Plan: func(*Target) *run.Why {
			return &run.Why{
				What:   "skipped: it is not in the lab: it could not be had when this version was made",
				Reason: "`go list -m -versions " + module + "` was refused (403 Forbidden)",
				Next:   "where it can be had: zmy lab -contender DIR, a package of yours that calls it (docs/guide/contender.md)",
			}
		},
		Generate: func(context.Context, *Target, Tools) (*Sources, error) { return nil, errUnavailable },
	}
}
