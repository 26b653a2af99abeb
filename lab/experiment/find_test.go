package experiment

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

func TestSpelling(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Time(62), "62 ns"}, {Time(0.5), "0.5 ns"}, {Time(1234), "1.23 µs"}, {Time(999_600), "1 ms"}, {Time(14e6), "14 ms"}, {Time(2.5e9), "2.5 s"},
		{Bytes(512), "512 B"}, {Bytes(1945), "1.9 KiB"}, {Bytes(3 << 20), "3 MiB"}, {Bytes(5 << 30), "5 GiB"},
		{Share(0.355), "35.5%"}, {Share(0), "0%"}, {Times(1.234), "1.23 times"},
		{Count(999), "999"}, {Count(9999), "9999"}, {Count(1234567), "1,234,567"},
		{List(nil), ""}, {List([]string{"a"}), "a"}, {List([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestLeading: the first of the ranking, without the baseline; none for the default.
func TestLeading(t *testing.T) {
	r := &run.Run{}
	if got := leading(r); got != nil {
		t.Errorf("no ranking: %v", got)
	}
	for _, n := range strings.Fields("a b std-json c d e f g") {
		r.Ranking = append(r.Ranking, run.Rank{Codec: n})
	}
	if got := strings.Join(leading(r), " "); got != "a b c d e" {
		t.Errorf("leading: %s", got)
	}
}
