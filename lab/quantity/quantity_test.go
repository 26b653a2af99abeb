package quantity

import (
	"math"
	"testing"
)

func TestSpelling(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Time(62), "62 ns"}, {Time(0.5), "0.5 ns"}, {Time(1234), "1.23 µs"}, {Time(999_600), "1 ms"}, {Time(14e6), "14 ms"},
		{Time(2.5e9), "2.5 s"}, {Time(0), "0 ns"}, {Time(-1500), "-1.5 µs"},
		{Bytes(512), "512 B"}, {Bytes(1945), "1.9 KiB"}, {Bytes(3 << 20), "3 MiB"}, {Bytes(5 << 30), "5 GiB"},
		{Times(1.234), "1.23 times"}, {Times(2), "2 times"}, {Figure(0.00123), "0.00123"}, {Figure(0.948), "0.948"}, {Figure(0.9999),
			"1"}, {Figure(12_345), "12,345"}, {Figure(100), "100"},
		{Digits(2), "2.00"}, {Digits(17.34), "17.3"}, {Digits(41234), "41,234"}, {Digits(0), "0"}, {Digits(math.NaN()), "–"},
		{Size(96), "96 B"}, {Size(1930), "1.9 KiB"}, {Size(416 * 1024), "416 KiB"}, {Size(0), "–"},
		{Ratio(14.23), "14.2"}, {Ratio(0.834), "0.83"}, {Ratio(1250), "1250"}, {Ratio(0), "–"},
		{Percent(0.355), "36%"}, {Percent(0.019), "1.9%"}, {Percent(0.05), "5.0%"}, {Share(0.05), "5%"}, {Share(0.019), "1.9%"}, {Share(0.998),
			"99.8%"}, {Share(1), "100%"},
		{Count(999), "999"}, {Count(9999), "9999"}, {Count(1234567), "1,234,567"}, {Count(0.2), "<1"}, {Count(40.2), "40"},
		{Group("-12345"), "-12,345"}, {Group("1234"), "1234"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
