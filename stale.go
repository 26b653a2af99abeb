package zmy

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/zmylab/zmy/internal/stale"
	"github.com/zmylab/zmy/internal/zmyreflect"
)

// NOTE: Generated code knows types as they were when it was generated. The compiler notices
// most changes of them; it does not notice a struct of another package with unexported fields
// that gets a field, or a method such as MarshalText that is declared later. So Code.Print, the
// fingerprint that the generator made, is held against the types of the program once for each
// Code, at its first use. Where they differ the methods return ErrStale, and the functions of
// this package go by reflection instead, if it sees all of the form. The methods do not: that
// would link the whole of reflection and encoding/json, 1.5 MB, into programs that call nothing
// else. BenchmarkCode measures the check; afterwards it takes three instructions a call.

// ErrStale is returned by generated code whose types have changed since it was generated.
// [Marshal], [Unmarshal] and all that is built on them go by reflection then, unless the type
// needs generated code: for unions, numbers of -derive, or directives in comments.
var ErrStale = errors.New("generated code is for an older version of the type: run go generate")

// Code is what generated code knows of the type that it is for. The generator writes it.
type Code struct {
	Of      any    // a nil pointer to the type
	Arms    []any  // nil pointers to the arms of all unions that it reaches
	Print   uint64 // the fingerprint of the Go types
	StandIn bool   // reflection sees all of the form

	state atomic.Uint32
}

// States of a Code, set at its first use.
const (
	codeUnjudged uint32 = iota
	codeFits
	codeStale
)

// Fits reports whether the code is for the types of this program.
func (c *Code) Fits() bool { return c.state.Load() == codeFits || c.judge() }

// judge is Fits at the first use, and for code that does not fit.
//
//go:noinline
func (c *Code) judge() bool {
	if c.state.Load() == codeStale {
		return false
	}
	t := c.typ()
	arms := make([]reflect.Type, len(c.Arms))
	for i, arm := range c.Arms {
		arms[i] = reflect.TypeOf(arm).Elem()
	}
	if zmyreflect.Print(t, arms, hasGenerated) == c.Print {
		c.state.Store(codeFits)
		return true
	}
	c.state.Store(codeStale)
	staleTypes.Add(t)
	return false
}

func (c *Code) typ() reflect.Type { return reflect.TypeOf(c.Of).Elem() }

// Fingerprint returns fp, or 0 for code that is not for the types of this program.
func (c *Code) Fingerprint(fp uint64) uint64 {
	if c.Fits() {
		return fp
	}
	return 0
}

// Stale returns the error of what the code does not do. op is the verb: "view".
func (c *Code) Stale(op string) error {
	return &staleError{op, zmyreflect.TypeName(c.typ()), c.StandIn}
}

// staleError is ErrStale for one type.
type staleError struct {
	op, name string
	standIn  bool // reflection can take the place of the code
}

// Error is one line.
func (e *staleError) Error() string {
	s := fmt.Sprintf("zmy: %s %s: %v", e.op, e.name, ErrStale)
	if e.standIn && (e.op == "marshal" || e.op == "unmarshal") {
		s += "; until then call zmy." + strings.ToUpper(e.op[:1]) + e.op[1:] + ", which goes by reflection"
	}
	return s
}

// Unwrap gives ErrStale to errors.Is.
func (e *staleError) Unwrap() error { return ErrStale }

// staleTypes are the types whose generated code is not used.
var staleTypes stale.Types

// Stale returns the types met so far whose generated code is not used: they, or types that
// they are made of, have changed since it was generated.
func Stale() []reflect.Type { return staleTypes.List() }

// OnStale has f called with every type that [Stale] returns, now or later, on goroutines of
// their own. It replaces the function given before; nil is none.
func OnStale(f func(reflect.Type)) { staleTypes.On(f) }

// isStale reports a type whose generated code does not fit.
func isStale(t reflect.Type) bool { return staleCode(t) != nil }

// staleCode is the error of t's generated code if that does not fit, nil if it fits or there
// is none. Code that fits has a fingerprint, and is not asked for more.
func staleCode(t reflect.Type) *staleError {
	v := reflect.New(t).Interface()
	f, _ := v.(Fingerprinter)
	m, _ := v.(Marshaler)
	if f == nil || m == nil || f.ZMYFingerprint() != 0 {
		return nil
	}
	_, err := m.AppendZMY(nil)
	var out *staleError
	errors.As(err, &out)
	return out
}
