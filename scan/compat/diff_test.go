package compat

import (
	"strings"
	"testing"
)

// TestDocuments compares spellings of one value.
func TestDocuments(t *testing.T) {
	n := newNamer([]string{"a", "b", "list"})
	for _, c := range []struct{ from, to, want string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{`{"a":null}`, `{"a":[]}`, "a: null → []"},
		{`{"a":null}`, `{"a":{}}`, "a: null → {}"},
		{`{"a":[1]}`, `{"a":"AQ=="}`, "a: array → string"},
		{`{"a":1}`, `{}`, "a: written → left out"},
		{`{"a":0}`, `{}`, "a: written → left out: 0"},
		{`{}`, `{"a":false}`, "a: left out → written: false"},
		{`{"a":"0001-01-01T00:00:00Z"}`, `{}`, "a: written → left out: zero time"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ".: order of members"},
		{`{"x":1,"b":2}`, `{"x":2,"b":2}`, "*: another number"},
		{`{"list":[{"a":1},{"a":1}]}`, `{"list":[{"a":2},{"a":3}]}`, "list[].a: another number"},
		{`{"list":[1]}`, `{"list":[1,2]}`, "list: other number of elements"},
		{`{"a":"\u003cb\u0026"}`, `{"a":"<b&"}`, "a: string: HTML characters escaped → as they are"},
		{`{"a":"<"}`, `{"a":"\u003c"}`, "a: string: HTML characters as they are → escaped"},
		{`{"a":"\u2028"}`, "{\"a\":\"\u2028\"}", "a: string: U+2028, U+2029 escaped → as they are"},
		{`{"a":"x\ufffd"}`, "{\"a\":\"x\ufffd\"}", `a: string: \ufffd → the character itself`},
		{`{"a":"\f"}`, `{"a":"\u000c"}`, "a: string: other escape sequences"},
		{`{"a":"x"}`, `{"a":"y"}`, "a: another string"},
		{`{"a":1e2}`, `{"a":100}`, "a: spelling of a number"},
		{`{"a":0}`, `{"a":-0}`, "a: another number"},
		{`{"a":1}`, `{ "a": 1 }`, ".: white space"},
		{`{"\u0061":1}`, `{"a":1}`, "a: name: other escape sequences"},
		{`{"a":1,"a":2}`, `{"a":1,"a":3}`, "a: another number"},
		{`{"a":1}`, `{"a":`, ".: JSON → not JSON"},
	} {
		var got []string
		for _, d := range documents([]byte(c.from), []byte(c.to), n) {
			if d.path == "" {
				d.path = "."
			}
			got = append(got, d.path+": "+d.class)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s → %s: %s, want %s", c.from, c.to, s, c.want)
		}
	}
}

// FuzzTree: a tree renders what it was read from, up to white space.
func FuzzTree(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}],"":"\"\\"}`, ` [ 1 , 2 ] `, `"x"`, `{}`, `[[],{}]`, `-0.5e+7`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		x, err := parseTree(doc)
		if err != nil {
			return
		}
		y, err := parseTree(x.text())
		if err != nil {
			t.Fatalf("%q became %q: %v", doc, x.text(), err)
		}
		if string(x.text()) != string(y.text()) {
			t.Fatalf("%q, then %q", x.text(), y.text())
		}
		if d := documents(doc, x.text(), newNamer(nil)); len(d) > 1 || len(d) == 1 && d[0].class != "white space" {
			t.Fatalf("%q and %q differ: %+v", doc, x.text(), d)
		}
		for _, s := range spots(x, newNamer(nil), map[string]bool{}) {
			if whole := s.around(false, s.leaf, nil).text(); string(whole) != string(x.text()) {
				t.Fatalf("at %q %q became %q", s.path, x.text(), whole)
			}
			if lean := s.around(true, s.leaf, nil).text(); !jsonValid(lean) {
				t.Fatalf("%q is not JSON", lean)
			}
		}
	})
}

func jsonValid(b []byte) bool { _, err := parseTree(b); return err == nil }
