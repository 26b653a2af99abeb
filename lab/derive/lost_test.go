package derive

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/fidelity"
)

// Each document comes back as it was, or a note says what does not, and a note speaks of nothing
// else.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		docs  []string
		notes []string // parts of Notes and Lost, in order
	}{
		{[]string{`{"a":1}`, `{"b":[{"c":null}]}`}, []string{"b[].c is of type any"}},
		{[]string{`{"":"x","a":1}`}, []string{`member "" of Doc cannot be the name`}},
		{[]string{`{"-":"x","a":1}`, `{"a":2}`}, nil},
		{[]string{`{"it's":1,"\u00a0":2,"\ud83d\ude00":3,"q\"":4,"a,b":5,"Field":6}`}, slices.Repeat([]string{"cannot be the name"}, 5)},
		{[]string{`{"a":[{"":{"x":1}}]}`}, []string{`member "" of A`}},
		{[]string{`{"a":[]}`, `{"a":[1]}`, `{}`}, []string{"comes back missing: a"}},
		{[]string{`{"a":{"b":null}}`, `{"a":{"b":1}}`, `{"a":{}}`}, []string{"comes back missing: a.b"}},
		{[]string{`{"n":123456789012345678901234567890}`, `{"n":1}`},
			[]string{"n is a float64", "n 123456789012345678901234567890 comes back as 1.2345678901234568e+29 (document 1)"}},
		{[]string{`{"n":1,"N":2}`, `{"N":3}`}, nil},
		{[]string{`[{"":1}]`}, []string{`member "" of`}},
	} {
		typ, err := Derive(learn(t, c.docs...), "p", "Doc")
		if err != nil {
			t.Fatal(err)
		}
		notes := append(typ.Notes, typ.Lost(texts(c.docs...))...)
		if len(notes) != len(c.notes) {
			t.Errorf("%s: notes %q, want %q", c.docs, notes, c.notes)
			continue
		}
		for i, n := range notes {
			if !strings.Contains(n, c.notes[i]) {
				t.Errorf("%s: note %q lacks %q", c.docs, n, c.notes[i])
			}
		}
	}
}

// Every character is a member's name, and what comes back under it is what was there, unless a note
// says that it is left out.
func TestNames(t *testing.T) {
	for _, r := range []rune("\x00\t !\"#$%&'()*+,-./09:;<=>?@AZ[\\\\]^_`az{|}~\u007f\u0080\u00a0éßǅ日\u0301\u200d\u2028😀\ufffd") {
		for _, name := range []string{string(r), "a" + string(r), string(r) + "a"} {
			key, err := json.Marshal(name)
			if err != nil {
				t.Fatal(err)
			}
			doc := fmt.Sprintf(`{%s:1}`, key)
			typ, err := Derive(learn(t, doc), "p", "Doc")
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			v := reflect.New(typ.Go)
			if err := json.Unmarshal([]byte(doc), v.Interface()); err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			out, err := json.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			same, _ := fidelity.SameJSON([]byte(doc), out)
			if same == slices.ContainsFunc(typ.Notes, func(n string) bool { return strings.Contains(n, "left out") }) {
				t.Errorf("%q: %s came back as %s, notes %q", name, doc, out, typ.Notes)
			}
		}
	}
}
