package adapt_test

import (
	"bytes"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

func TestMessagePackLengths(t *testing.T) {
	many := func(head string, n int) string { return head + string(bytes.Repeat([]byte{0x01}, n)) }
	for _, c := range []struct {
		b  string
		ok bool
	}{
		{"", true},
		{"\x93\x01\x02\x03", true},
		{many("\xdc\x00\x20", 32), true},
		{many("\xdc\x00\x20", 31), false},
		{many("\xdd\x00\x00\x00\x20", 32), true},
		{many("\xdd\x00\xff\xff\xff", 32), false},
		{many("\xde\x00\x10", 32), true},
		{many("\xde\x00\x10", 31), false},
		{many("\xdf\xff\xff\xff\xff", 32), false},
		{"\xa4\xdd\xff\xff\xff", true},                              // a text
		{"\xc4\x05\xdd\xff\xff\xff\xff\xdd\x00\xff\xff\xff", false}, // behind bytes
		{"\xc7\x01\x05\xdd\xdc\x00\x10", false},                     // behind an extension of one byte
		{"\xd4\x05\xdd\xdc\x00\x10", false},                         // of fixed size
		{"\xcf\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\x01", true},          // a number
		{"\xd3\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\x01", true},      // cut short: for the library to say
		{"\xda\x00\x02\xdd\xdd\xca\xdd\xdd\xdd\xdd\xcb\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xc0", true},
		{"\xdd\x00", true},
	} {
		err := adapt.MessagePackLengths([]byte(c.b))
		if (err == nil) != c.ok || err != nil && codec.ClassOf(err) != codec.ClassLimit {
			t.Errorf("%x: %v", c.b, err)
		}
	}
}
