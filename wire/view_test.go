package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// wide is a struct with n tails of two bytes each, as of a type with head h.
func wideStruct(n int) (t *Desc, b []byte) {
	t = &Desc{Shape: ShapeStruct, Head: Header(4, n)}
	b = append(binary.LittleEndian.AppendUint32(nil, t.Head), 1, 2, 3, 4)
	first := len(b) + 2*n
	for i := range n {
		end := first + 2*(i+1)
		b = append(b, byte(end), byte(end>>8))
	}
	for i := range n {
		b = append(b, byte(i), byte(i>>8))
	}
	return t, b
}

// A struct inside a message that was verified opens without a look at its ends: it reads
// as one that was checked, and damage to the ends is not found.
func TestOpenVerified(t *testing.T) {
	var whole Struct
	for _, n := range []int{1, 4, 64, 512, 16000} {
		d, b := wideStruct(n)
		checked := OpenSlot(d, b)
		if err := checked.Err(); err != nil {
			t.Fatalf("%d tails: %v", n, err)
		}
		fast := whole.Verified(64, 1<<24).Open(d, b)
		for i := range n + 1 {
			if !bytes.Equal(fast.Tail(i), checked.Tail(i)) {
				t.Fatalf("%d tails: tail %d is %x, want %x", n, i, fast.Tail(i), checked.Tail(i))
			}
		}
		if !bytes.Equal(fast.Fixed(0, 4), checked.Fixed(0, 4)) || !bytes.Equal(fast.Fixed(2, 4), checked.Fixed(2, 4)) ||
			fast.Len() != checked.Len() {
			t.Errorf("%d tails: other scalars", n)
		}
		b[8] = 0xff // the first end, beyond all others
		b[9] = 0xff
		if n > 1 && n < 16000 && whole.Open(d, b).Err() == nil {
			t.Errorf("%d tails: damage is not found where nothing was verified", n)
		}
		if fast := whole.Verified(64, 1<<24).Open(d, b); fast.Err() != nil {
			t.Errorf("%d tails: the ends are looked at", n)
		}
	}
	if s := whole.Verified(64, 1<<24).Open(&Desc{Shape: ShapeStruct, Head: Header(4, 1)}, nil); s.Len() != 0 || len(s.Tail(0)) != 0 {
		t.Error("an empty slot is not the zero struct")
	}
}
