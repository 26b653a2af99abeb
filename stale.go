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

// NOTE: Generated code is made for the types as they were when the generator ran. If a type changes
// later, the compiler usually reports it. It does not report that a struct of another package with
// unexported fields got a field, or that a method such as MarshalText was declared. So Code.Print,
// a fingerprint of the Go types made by the generator, is compared with the types of the program,
// once for each Code at its first use. If they differ the methods return ErrStale. The functions of
// this package then use reflection, if reflection sees everything that the format needs. The
// generated methods do not fall back on reflection, because that would link reflection and
// encoding/json, 1.5 MB, into programs that call only the methods. BenchmarkCode measures the
// check, which costs three instructions a call once it is done.

// ErrStale is returned by generated code whose types have changed since it was generated.
// [Marshal], [Unmarshal] and the functions that call them use reflection instead, except for types
// that need generated code: those with unions, numbers of -derive, or directives in comments.
var ErrStale = errors.New("generated code is for an older version of the type: run go generate")

// Code is for generated code: it holds what that code knows about its type. The generator writes
// it.
type Code struct {
	Of      any    // a nil pointer to the type
	Arms    []any  // nil pointers to the arms of all unions within the type
	Print   uint64 // the fingerprint of the Go types
	StandIn bool   // reflection can replace the code

	state atomic.Uint32
}

// The states of a Code. The first use sets the state.
const (
	codeUnjudged uint32 = iota
	codeFits
	codeStale
)

// Fits reports whether the code was generated for the types of this program. It is safe for
// concurrent use.
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

// Fingerprint returns fp, or 0 if the code does not fit the types of this program.
func (c *Code) Fingerprint(fp uint64) uint64 {
	if c.Fits() {
		return fp
	}
	return 0
}

// Stale returns the error for an operation that the stale code refuses. op is its verb: "view".
func (c *Code) Stale(op string) error {
	return &staleError{op, zmyreflect.TypeName(c.typ()), c.StandIn}
}

// staleError is the ErrStale of one type.
type staleError struct {
	op, name string
	standIn  bool // reflection can take the place of the code
}

// Error returns one line.
func (e *staleError) Error() string {
	s := fmt.Sprintf("zmy: %s %s: %v", e.op, e.name, ErrStale)
	if e.standIn && (e.op == "marshal" || e.op == "unmarshal") {
		s += "; until then call zmy." + strings.ToUpper(e.op[:1]) + e.op[1:] + ", which goes by reflection"
	}
	return s
}

// Unwrap returns ErrStale.
func (e *staleError) Unwrap() error { return ErrStale }

// staleTypes lists the types whose generated code is not used.
var staleTypes stale.Types

// Stale returns the types, met so far, whose generated code is not used. These types, or types that
// they contain, have changed since the code was generated.
func Stale() []reflect.Type { return staleTypes.List() }

// OnStale makes f the function that is called with every type that [Stale] returns, now or later.
// Each call has a goroutine of its own. f replaces the function that was set before; nil sets none.
func OnStale(f func(reflect.Type)) { staleTypes.On(f) }

// isStale reports whether t has generated code that does not fit.
func isStale(t reflect.Type) bool { return staleCode(t) != nil }

// staleCode returns the error of t's generated code if the code does not fit. It returns nil if the
// code fits or t has none. A fingerprint other than 0 shows that the code fits; only otherwise is
// AppendZMY called, for its error.
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
