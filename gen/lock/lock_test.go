package lock_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/lock"
)

const text = `# zmy.lock: what the messages of this package look like. Commit it.
# zmy lock brings it up to date, zmy breaking compares the source with it.
zmylock 1

struct .odd lineage=00000000000000ff
	0 A ?time:zone json=-
	1 B []map[[4]uint8]Page[string,int] json="a \"b\"" deprecated
	2 C .text inline
	3 - "map[string]struct{ A int }" reserved=0
	4 Old [3]int16 reserved
	5 D map[State]{} embedded

struct Page[string,int] lineage=0000000000000001
	0 Items []example.org/m.Item

enum State uint8
	1 Paid
	255 Lost

sparse text lineage=0000000000000002 deprecated maxwire=1048576 maxdepth=8
	0 X int64

struct example.org/m.Item lineage=0000000000000003
	0 U Shape

union Shape
	1 .odd
	2 Gone reserved
	300 example.org/m.Item
`

// What is read and written is the same but for the order of types.
func TestText(t *testing.T) {
	in := strings.NewReplacer("sparse text", "struct text", ".odd", "odd").Replace(text)
	f, err := lock.Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out := string(f.Text())
	again, err := lock.Parse([]byte(out))
	if err != nil || string(again.Text()) != out {
		t.Errorf("%v\n%s", err, out)
	}
	lines := func(s string) int { return strings.Count(s, "\n") }
	for line := range strings.Lines(in) {
		if !strings.Contains(out, line) {
			t.Errorf("lost: %s", line)
		}
	}
	if lines(out) != lines(in) {
		t.Errorf("%d lines, were %d:\n%s", lines(out), lines(in), out)
	}
	crlf, err := lock.Parse([]byte(strings.ReplaceAll(out, "\n", "\r\n")))
	if err != nil || string(crlf.Text()) != out {
		t.Errorf("with CRLF: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "zmylock 1\n"
	for _, c := range []struct{ text, want string }{
		{"", "zmy.lock: it has no line"},
		{"zmylock 2\n", `zmy.lock:1: it begins with "zmylock 2", not "zmylock 1"`},
		{head + "<<<<<<< HEAD\n", "zmy.lock:2: a merge conflict"},
		{head + "\t0 A int64\n", "zmy.lock:2: a field before the first type"},
		{head + "struct\n", "zmy.lock:2: a type without name"},
		{head + "class T\n", `zmy.lock:2: "class" begins no type`},
		{head + "struct T colour\n", `zmy.lock:2: unknown word "colour"`},
		{head + "struct T lineage=x\n", `bad number in "lineage=x"`},
		{head + "struct T\n\nstruct T\n", "zmy.lock:4: type T stands here a second time"},
		{head + "enum T string\n", "enum T has no integer type"},
		{head + "enum T\n", "enum T has no integer type"},
		{head + "enum T int8\n\tx A\n", `bad number in "x"`},
		{head + "struct T\n\t0\n", "zmy.lock:3: a field without name"},
		{head + "struct T\n\t0 A\n", "field A without type"},
		{head + "struct T\n\t0 A int64 big\n", `unknown word "big"`},
		{head + "struct T\n\t0 A int64\n\t0 B int64\n", "zmy.lock:4: number 0 of T is given twice"},
		{head + "struct T\n\t-1 A int64\n", `bad number in "-1"`},
		{head + "struct T\n\t0 A \"int64\n", "a quotation mark is missing"},
		{head + "struct T\n\t0 A U\n", `zmy.lock:2:1: T: type "U" stands nowhere in the file`},
		{head + "struct T\n\t0 A map[string\n", `type "map[string" is cut short`},
		{head + "struct T\n\t0 A [x]int8\n", `bad length in type "[x]int8"`},
		{head + "struct T\n\t0 A []\n", "stands nowhere in the file"},
		{head + "union T\n\t1 U\n", "stands nowhere in the file"},
	} {
		if _, err := lock.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte("zmylock 1\nstruct T\n\t0 A []?T\n\t1 B map[[]]T\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := lock.Parse(b)
		if err != nil {
			return
		}
		out := file.Text()
		again, err := lock.Parse(out)
		if err != nil || string(again.Text()) != string(out) {
			t.Errorf("%v\n%s", err, out)
		}
		if c := lock.Compare(file, file, nil); len(c.Changes) > 0 && !lock.Breaks(c.Changes) {
			t.Errorf("differs from itself: %v", c.Changes)
		}
	})
}

func TestLineage(t *testing.T) {
	// The first 8 bytes of the SHA-256 of "example.org/m.Order", little-endian.
	if got := lock.Lineage("example.org/m", "Order"); got != 0x13174cf07985202e {
		t.Errorf("%#x", got)
	}
}

// A type that is renamed keeps its lineage, and one that takes its old name later
// gets another; what is not spoken of any more goes once its declaration is gone.
func TestRenameKeepsLineage(t *testing.T) {
	mod := t.TempDir()
	record := func(src string, old *lock.File) *lock.File {
		t.Helper()
		for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.25\n", "in.go": "package m\n\n" + src} {
			if err := os.WriteFile(filepath.Join(mod, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := locked(t, mod, ".", old)
		if lock.Breaks(c.Changes) {
			t.Fatal(c.Changes)
		}
		f, err := lock.Parse(c.Next.Text())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	tag := func(n string) string { return " `zmy:\"" + n + "\"`\n" }
	item := "struct {\n\tX int" + tag("0") + "}\n"
	v1 := record("type T struct {\n\tI Item"+tag("0")+"}\n\ntype Item "+item, nil)
	v2 := record("type T struct {\n\tI Line"+tag("0")+"}\n\ntype Line "+item, v1)
	if v2.Type("Item") != nil || v2.Type("Line").Lineage != v1.Type("Item").Lineage {
		t.Errorf("%s", v2.Text())
	}
	v3 := record("type T struct {\n\tI Line"+tag("0")+"\tJ Item"+tag("1")+"}\n\ntype Line "+item+"\ntype Item "+item, v2)
	if v3.Type("Line").Lineage != v1.Type("Item").Lineage || v3.Type("Item").Lineage == v1.Type("Item").Lineage {
		t.Errorf("%s", v3.Text())
	}
	// Reserved, yet spoken of: the type of the field that is gone stays.
	v4 := record("//zmy:reserved 1 struct\ntype T struct {\n\tI Line"+tag("0")+"}\n\ntype Line "+item, v3)
	if v4.Type("Item") == nil || !strings.Contains(string(v4.Text()), "\t1 J Item reserved\n") {
		t.Errorf("%s", v4.Text())
	}
}

// A type that moves to another package, or whose module gets another path, is the
// same; another type of a package that is still there is not.
func TestMove(t *testing.T) {
	file := func(field string, types ...string) *lock.File {
		text := "zmylock 1\nstruct T lineage=0000000000000001\n\t0 I " + field + "\n"
		for i, name := range types {
			text += "struct " + name + " lineage=000000000000000" + string(rune('2'+i)) + "\n\t0 X int64\n"
		}
		f, err := lock.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		name     string
		old, now *lock.File
		declared []string
		want     string
	}{
		{"to another package", file("Item", "Item"), file("[]a/b.Item", "a/b.Item"), nil, "FIELD_TYPE_CHANGED"},
		{"into the package", file("a/b.Item", "a/b.Item"), file("Item", "Item"), nil, ""},
		{"to version 2", file("x.org/m.Item", "x.org/m.Item"), file("x.org/m/v2.Item", "x.org/m/v2.Item"), nil, ""},
		{"another one", file("x.org/m.Item", "x.org/m.Item"), file("x.org/m.Line", "x.org/m.Line", "x.org/m.Other"), nil, "LINEAGE_CHANGED"},
		{"renamed", file("Item", "Item"), file("Line", "Line"), nil, "TYPE_RENAMED"},
		{"another one here", file("Item", "Item"), file("Line", "Line"), []string{"Item"}, "LINEAGE_CHANGED"},
	} {
		c.now.Type("T").Lineage = 9 // as of a package of another path
		for _, typ := range c.now.Types {
			typ.Lineage += 16
		}
		got := lock.Compare(c.old, c.now, append(c.declared, "T"))
		var codes []string
		for _, ch := range got.Changes {
			codes = append(codes, string(ch.Code))
		}
		if s := strings.Join(codes, ","); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
		if got.Next.Type("T").Lineage != 1 {
			t.Errorf("%s: T has another lineage", c.name)
		}
	}
}
