// Package codectest checks that a codec keeps the promises of package codec.
//
//	func TestConformance(t *testing.T) {
//		codectest.Run(t, mycodec.Codec{}, codectest.Values(order.Order{…}, user.User{…})...)
//	}
package codectest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// Case is a value that the codec must carry.
type Case struct {
	Name string // name of the subtest
	// Value is a T, and not the zero value. It is a *T if a T must not be copied, as messages of
	// protobuf must not. Then the codec gets pointers only.
	Value any
	// Equal compares the decoded value with Value; both have Value's type. nil means
	// [reflect.DeepEqual]. Set it if the codec changes a value by its own rules, such as a number
	// in an `any`.
	Equal func(got, want any) bool
}

// Values makes a Case of each value. The name of the case contains the value's type.
func Values(values ...any) []Case {
	out := make([]Case, len(values))
	for i, v := range values {
		out[i] = Case{Name: fmt.Sprintf("%d-%T", i, v), Value: v}
	}
	return out
}

// Run checks c on each case, with a subtest for each promise. Promises about powers that c does not
// have are skipped. At least one case is needed.
func Run(t *testing.T, c codec.Codec, cases ...Case) {
	t.Helper()
	RunExcept(t, c, nil, cases...)
}

// Exceptions are checks that a codec cannot pass, by name, each with the reason. The reason should
// be in the documentation of the codec too.
type Exceptions map[string]string

// RunExcept is Run for a codec that cannot keep every promise. In the format of protobuf, for
// instance, the beginning of a message may be a message. If every case passes an excepted check,
// the exception is not needed, and that is an error.
func RunExcept(t *testing.T, c codec.Codec, except Exceptions, cases ...Case) {
	t.Helper()
	if len(cases) == 0 {
		t.Fatal("codectest: no cases: nothing would be checked")
	}
	for name := range except {
		if !slices.ContainsFunc(checks, func(k check) bool { return k.name == name }) {
			t.Errorf("codectest: no check has the name %q", name)
		}
	}
	for _, k := range checks {
		if reason, excepted := except[k.name]; excepted {
			if err := k.needless(c, cases); err != nil {
				t.Errorf("%s: %v; the exception says: %s", k.name, err, reason)
			}
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for _, cs := range cases {
				t.Run(cs.Name, func(t *testing.T) {
					if err := k.run(c, cs); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// check is one promise. Checks return errors instead of taking a *testing.T, so that this package's
// own tests can show that a broken codec fails them.
type check struct {
	name string
	run  func(c codec.Codec, cs Case) error
}

// needless returns an error if c passes the check on all cases.
func (k check) needless(c codec.Codec, cases []Case) error {
	for _, cs := range cases {
		if k.run(c, cs) != nil {
			return nil
		}
	}
	return errors.New("passed by every case: the exception is not needed")
}

var checks = []check{
	{"name", checkName},
	{"round-trip", ofMessage(checkRoundTrip)},
	{"pointer", checkPointer},
	{"output-is-owned", checkOutputOwned},
	{"input-is-not-kept", ofMessage(checkInputNotKept)},
	{"bad-target", ofMessage(checkBadTarget)},
	{"truncated", ofMessage(checkTruncated)},
	{"trailing", ofMessage(checkTrailing)},
	{"lengths", ofMessage(checkLengths)},
	{"concurrent", checkConcurrent},
	{"appender", checkAppender},
	{"pooled", checkPooled},
	{"context", checkContext},
	{"viewer", checkViewer},
	{"stable", checkStable},
	{"stream", checkStream},
	{"media-types", checkMediaTypes},
}

// ofMessage returns a check that marshals the value, and passes the message to f. The message is
// new each time, so that f may write over it.
func ofMessage(f func(c codec.Codec, cs Case, b []byte) error) func(codec.Codec, Case) error {
	return func(c codec.Codec, cs Case) error {
		b, err := marshal(c, cs.Value)
		if err != nil {
			return err
		}
		return f(c, cs, b)
	}
}

// typ returns the type T.
func (cs Case) typ() reflect.Type {
	if t := reflect.TypeOf(cs.Value); t.Kind() != reflect.Pointer {
		return t
	}
	return reflect.TypeOf(cs.Value).Elem()
}

// target returns a new *T.
func (cs Case) target() any { return reflect.New(cs.typ()).Interface() }

// compare returns an error if the T that target points to differs from Value.
func (cs Case) compare(target any) error {
	got := target
	if reflect.TypeOf(cs.Value).Kind() != reflect.Pointer {
		got = reflect.ValueOf(target).Elem().Interface()
	}
	equal := cs.Equal
	if equal == nil {
		equal = reflect.DeepEqual
	}
	if !equal(got, cs.Value) {
		return fmt.Errorf("decoded value differs:\n got %+v\nwant %+v", got, cs.Value)
	}
	return nil
}

// unmarshal decodes b and compares the result with Value. A panic becomes an error.
func (cs Case) unmarshal(c codec.Codec, b []byte) error {
	v := cs.target()
	if err := safely(func() error { return c.Unmarshal(b, v) }); err != nil {
		return fmt.Errorf("unmarshal: %w", err)
	}
	return cs.compare(v)
}

func marshal(c codec.Codec, v any) (b []byte, err error) {
	err = safely(func() error {
		b, err = c.Marshal(v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("marshal: %w", err)
	}
	return b, nil
}

// panicked is a panic as an error, so that it can be distinguished from an error of the codec.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p}
		}
	}()
	return f()
}
