package locktext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

var format = Format{Name: "a.lock", Version: "alock 1", Write: "zmy lock", Merge: ", all"}

// read returns the lines of a file: where they are and their words.
func read(text string) (lines []string, err error) {
	add := func(what string) func(ir.Pos, []string) error {
		return func(at ir.Pos, words []string) error {
			if slices.Contains(words, "bad") {
				return errors.New("a bad word")
			}
			lines = append(lines, fmt.Sprintf("%d:%d %s %q", at.Line, at.Col, what, words))
			return nil
		}
	}
	err = format.Read([]byte(text), add("head"), add("member"))
	return lines, err
}

func TestRead(t *testing.T) {
	got, err := read("# comment\nalock 1\r\n\nstruct  A x=\"1 2\"\t\n\t0 \"a b\" \"\" \"#\"\n # no comment\nunion B\n")
	want := []string{
		`4:1 head ["struct" "A" "x=1 2"]`, `5:2 member ["0" "a b" "" "#"]`, `6:2 member ["#" "no" "comment"]`, `7:1 head ["union" "B"]`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                             `a.lock: it has no line "alock 1"; if it is none, remove it and run zmy lock`,
		"# x\n":                        `a.lock: it has no line "alock 1"; if it is none, remove it and run zmy lock`,
		"alock 2\n":                    `a.lock:1: it begins with "alock 2", not "alock 1": this zmy cannot read it`,
		"alock 1\n<<<<<<< HEAD\n":      `a.lock:2: a merge conflict; keep the lines of both sides, all`,
		"alock 1\nstruct \"A\n":        `a.lock:2: a quotation mark is missing`,
		"alock 1\nstruct A\n\t0 bad\n": `a.lock:3: a bad word`,
	} {
		_, err := read(text)
		var p ir.Problems
		if !errors.As(err, &p) || p.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzQuote holds that words are read back as they were.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "#", "a=b", `"`, `\`, "\n", "\xff", "é", "\u2028", "=", "<<<<<<<"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for line, want := range map[string][]string{
			Quote(a) + " " + Quote(b):        {a, b},
			"k=" + Quote(a) + " " + Quote(b): {"k=" + a, b},
		} {
			if words, err := split(line); err != nil || !slices.Equal(words, want) {
				t.Errorf("%q is read as %q, %v", line, words, err)
			}
		}
	})
}
