package lab

import (
	"errors"
	"os/exec"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/place"
)

// foreign notes where no code can be generated in the subject's package, and the package
// that the lab was started in, where a type of the user's own can be declared.
func (l *lab) foreign() {
	s := l.subject
	var no *place.Error
	if s.Work.Mirror == "" && !errors.As(place.Check(s.Pkg.Dir), &no) {
		return
	}
	l.run.Subject.Foreign, l.run.Subject.Methods = true, formMethods(s.Root)
	cmd := exec.Command("go", "list", "-find", "-f", "{{.Name}}", ".")
	cmd.Dir = l.o.Dir
	if out, err := cmd.Output(); err == nil {
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
