package jsonrt

import "testing"

type methodCents int64

var methodPrice = []byte("4.50")

func (m methodCents) MarshalJSON() ([]byte, error) { return methodPrice, nil }

type methodID [16]byte

func (m methodID) MarshalText() ([]byte, error) { return methodPrice, nil }

// TestMethodsTakeNoMemory: values whose methods are called are not copied to new memory.
func TestMethodsTakeNoMemory(t *testing.T) {
	cents, id := methodCents(1<<40), methodID{7}
	buf := make([]byte, 0, 64)
	e := newEnc(0)
	if n := testing.AllocsPerRun(100, func() { buf = EncodeMarshaler(e, EncodeText(e, buf[:0], &id), &cents) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if string(buf) != `"4.50"4.50` {
		t.Errorf("%s", buf)
	}
}
