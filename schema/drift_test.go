package schema_test

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

// The types of TestDrift are those that reflection and this package once read in two ways.

type limited struct {
	_  struct{} `zmy:"limits MaxWire=65536"`
	ID string   `zmy:"0"`
}

type badLimit struct {
	_  struct{} `zmy:"limits MaxWire=64KiB"`
	ID string   `zmy:"0"`
}

type quiet struct {
	_  struct{} `zmy:"lint-ignore FLOAT_MONEY"`
	ID string   `zmy:"0"`
}

type base struct{ s string }

func (b base) MarshalText() ([]byte, error)  { return []byte(b.s), nil }
func (b *base) UnmarshalText(t []byte) error { b.s = string(t); return nil }

// over has text methods of its own beside those of what it embeds.
type over struct {
	base
	N int
}

func (o over) MarshalText() ([]byte, error)  { return []byte("over " + o.s), nil }
func (o *over) UnmarshalText(t []byte) error { o.s = string(t); return nil }

type hasOver struct {
	O over `zmy:"0"`
}

type signed struct {
	ID string `zmy:"+0"`
}

type left struct {
	A string `zmy:"0"`
	B string `zmy:"-"`
}

// The same types are refused, with the same words, and others have the same form.
func TestDrift(t *testing.T) {
	agree(t, limited{ID: "a"}, "{string}")
	agree(t, badLimit{ID: "a"}, `field _: bad word "MaxWire=64KiB" in directive //zmy:limits`)
	agree(t, quiet{ID: "a"}, "{string}")
	agree(t, hasOver{O: over{base{"x"}, 1}}, "{text}")
	agree(t, signed{ID: "a"}, `field ID: bad field number "+0" in struct tag zmy`)
	agree(t, left{A: "a"}, "{string}")
	s, err := schema.For[limited]()
	if err != nil || s.Limits.MaxWire != 65536 {
		t.Errorf("limits %+v, %v", s, err)
	}
}

// agree holds zmy.Marshal and For to one opinion of T: the canonical text, or the problem.
func agree[T any](t *testing.T, v T, want string) {
	t.Helper()
	b, err := zmy.Marshal(&v)
	s, refused := schema.For[T]()
	switch {
	case err != nil && refused != nil:
		_, words, _ := strings.Cut(err.Error(), "field ")
		if !strings.HasPrefix("field "+words, want) || !strings.HasSuffix(refused.Error(), words) {
			t.Errorf("%T:\n got %v\n and %v\nwant %s", v, err, refused, want)
		}
	case err != nil || refused != nil:
		t.Errorf("%T: Marshal says %v, For says %v", v, err, refused)
	case s.Text() != want:
		t.Errorf("%T: %s, want %s", v, s.Text(), want)
	default:
		c, err := dynamic.New(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.JSON(b); err != nil {
			t.Errorf("%T: message %x: %v", v, b, err)
		}
	}
}
