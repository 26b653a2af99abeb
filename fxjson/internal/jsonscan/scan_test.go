package jsonscan_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson/internal/grammar"
	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// scanned is what a scanner says of a stream that arrives in pieces: the index after the first value, or More or Bad.
type scanned struct {
	at       int
	complete bool
}

// pieces scans doc in pieces that end at multiples of cut, by single bytes or padded.
func pieces(doc []byte, cut int, padded bool) scanned {
	var s jsonscan.Scanner
	s.Reset()
	for i := 0; i < len(doc); i += cut {
		piece := doc[i:min(i+cut, len(doc))]
		e := 0
		if padded {
			b := append(append([]byte(nil), piece...), make([]byte, jsonwire.Pad)...)
			e = s.ScanPadded(b, len(piece))
		} else {
			e = s.Scan(piece)
		}
		switch e {
		case jsonscan.More:
		case jsonscan.Bad:
			return scanned{at: jsonscan.Bad}
		default:
			return scanned{i + e, s.Complete()}
		}
	}
	return scanned{jsonscan.More, s.Complete()}
}

// check compares the scan of padded pieces with that of single bytes, and both with encoding/json.
func check(t *testing.T, doc []byte, cut int) {
	t.Helper()
	want := pieces(doc, 1, false)
	for _, got := range []scanned{pieces(doc, cut, true), pieces(doc, cut, false), pieces(doc, 1+len(doc), true)} {
		if got != want {
			t.Fatalf("%q in pieces of %d: %+v, by single bytes %+v", doc, cut, got, want)
		}
	}
	whole := want.at >= 0 && strings.Trim(string(doc[want.at:]), " \t\r\n") == "" || want.at == jsonscan.More && want.complete
	if std := json.Valid(doc); whole != std {
		t.Fatalf("%q: %+v; it is valid to encoding/json: %t", doc, want, std)
	}
}

var docs = []string{
	"", " ", "1", "1 ", "-0.5e+3,", `"a"`, `"a" `, "true", "nullx", "tru", "[]", "{}", "[[[]]] ",
	`{"a":1,"b":[true,null,"s\u12aB\n"]}`, `{"a" 1}`, `{"a":}`, "[,]", "[1,]", `{,}`, `{"a":1,}`, `{1:2}`, "[}", "{]", "]", ",", ":",
	`[1:2]`, `{"a":1:2}`, `{"a","b"}`, `{{`, `{[`, "01", "1.", "[1.x]", "[\x00]", "\x00", "[1\x00", `["\x01"]`, `[nul,1]`, `[-]`, `[1e]`,
	" [ 1 , 2.5e-3 ] x", `"` + strings.Repeat("x", 100) + `",` + strings.Repeat("7", 100), strings.Repeat("[", jsonwire.MaxDepth) + "1",
	strings.Repeat("[", jsonwire.MaxDepth+1), strings.Repeat("[", jsonwire.MaxDepth) + "{",
}

func TestPadded(t *testing.T) {
	for _, d := range docs {
		for cut := 1; cut < 40; cut++ {
			check(t, []byte(d), cut)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	all := grammar.All()
	one := func() string { return all[r.IntN(len(all))] }
	for range 20_000 {
		doc := []byte(one())
		for range r.IntN(4) {
			doc = append(append([]byte(`{"key":[`), doc...), ","+one()+`],"":`+one()+"} "...)
		}
		check(t, doc, 1+r.IntN(30))
		if len(doc) > 0 {
			doc[r.IntN(len(doc))] = "\"\\{}[]:,01e-.tn \x00"[r.IntN(17)]
		}
		check(t, doc, 1+r.IntN(30))
	}
}

func FuzzPadded(f *testing.F) {
	for i, d := range docs {
		if len(d) < 1000 {
			f.Add([]byte(d), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, cut uint8) { check(t, doc, 1+int(cut)) })
}
