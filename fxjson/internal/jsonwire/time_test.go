package jsonwire

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 100_000 {
		sec := r.Int64N(253402300800+62167219200+40000) - 62167219200 - 20000
		tm := time.Unix(sec, r.Int64N(1e9)).UTC()
		switch i % 6 {
		case 1:
			tm = tm.Truncate(time.Second)
		case 2:
			tm = tm.Truncate(time.Millisecond)
		case 3:
			tm = tm.In(time.FixedZone("", (r.IntN(25*60*2)-25*60)*60))
		case 4:
			tm = tm.In(time.FixedZone("", r.IntN(1e5)-5e4))
		}
		want, err := checkTime(t, tm, i%6 < 3)
		if err != nil {
			continue
		}
		checkParseTime(t, string(want))
		b := []byte(want)
		b[1+r.IntN(len(b)-2)] = "0123456789-:TZ.+"[r.IntN(16)]
		checkParseTime(t, string(b))
	}
	for _, s := range []string{`"2024-02-29T00:00:00Z"`, `"2023-02-29T00:00:00Z"`, `"1900-02-29T00:00:00Z"`,
		`"2000-02-29T23:59:60Z"`, `"0000-01-01T00:00:00Z"`, `""`, `"2024-04-31T00:00:00.000000001Z"`, `"2024-04-30T00:00:00.Z"`,
		`"2024-04-30T00:00:00.1234567890Z"`, `"2024-04-30T24:00:00Z"`, `"2024-00-30T00:00:00Z"`, `"2024-04-00T00:00:00Z"`} {
		checkParseTime(t, s)
	}
}

// checkTime compares with the type's own method; fast says that the fast path must
// not leave tm to it.
func checkTime(t *testing.T, tm time.Time, fast bool) (want []byte, err error) {
	t.Helper()
	want, err = tm.MarshalJSON()
	got, ok := AppendTime(nil, tm)
	if ok && (err != nil || string(got) != string(want)) {
		t.Fatalf("%v: have %s, want %s, %v", tm, got, want, err)
	}
	if !ok && err == nil && fast {
		t.Fatalf("%v: the fast path gave up", tm)
	}
	return want, err
}

func checkParseTime(t *testing.T, s string) {
	t.Helper()
	got, end := ParseTime(padded(s), 1)
	ok := end == len(s)
	var want time.Time
	err := want.UnmarshalJSON([]byte(s))
	if ok && (err != nil || got != want) {
		t.Fatalf("%s: have %v, want %v, %v", s, got, want, err)
	}
	if ok || err != nil || s[len(s)-2] != 'Z' || len(s) > 32 {
		return
	}
	if odd := strings.Contains(s, ",") || s[14] != ':'; !odd { // the method takes a comma as the point, and hours of one digit
		t.Fatalf("%s: the fast path gave up", s)
	}
}

func BenchmarkTime(b *testing.B) {
	tm := time.Date(2026, 10, 5, 12, 34, 56, 123456789, time.UTC)
	buf := make([]byte, 0, 64)
	doc := padded(`"2026-10-05T12:34:56.123456789Z"`)
	b.Run("append/fxjson", func(b *testing.B) {
		for b.Loop() {
			AppendTime(buf, tm)
		}
	})
	b.Run("append/time", func(b *testing.B) {
		for b.Loop() {
			tm.AppendFormat(buf, time.RFC3339Nano)
		}
	})
	b.Run("parse/fxjson", func(b *testing.B) {
		for b.Loop() {
			ParseTime(doc, 1)
		}
	})
	b.Run("parse/time", func(b *testing.B) {
		for b.Loop() {
			time.Parse(time.RFC3339Nano, "2026-10-05T12:34:56.123456789Z")
		}
	})
}
