package lab

import (
	"context"
	"errors"
	"strings"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/place"
)

// foreign notes where no code can be generated in the subject's package, and the package
// that the lab was started in, where a type of the user's own can be declared.
func (l *lab) foreign(ctx context.Context) {
	s := l.subject
	var no *place.Error
	if s.Work.Mirror == "" && !errors.As(place.Check(s.Pkg.Dir), &no) {
		return
	}
	l.run.Subject.Foreign, l.run.Subject.Methods = true, formMethods(s.Root)
	out, err := gocmd.Output(ctx, l.o.Dir, nil, "list", "-find", "-f", "{{.Name}}", ".")
	if err == nil { // else there is no package at home to name
		l.run.Subject.Home = strings.TrimSpace(string(out))
	}
}

// formMethods are the methods of t by which it decides on its JSON or text itself. A type
// that is declared from t does not have them.
func formMethods(t *ir.Type) []string {
	var out []string
	for _, m := range []struct {
		name  string
		hooks ir.Hooks
	}{
		{"MarshalJSON", ir.HasMarshalJSON | ir.HasMarshalJSONPtr},
		{"UnmarshalJSON", ir.HasUnmarshalJSON | ir.HasUnmarshalJSONPtr},
		{"MarshalText", ir.HasMarshalText | ir.HasMarshalTextPtr},
		{"UnmarshalText", ir.HasUnmarshalText | ir.HasUnmarshalTextPtr},
	} {
		if t.Hooks&m.hooks != 0 {
			out = append(out, m.name)
		}
	}
	return out
}
