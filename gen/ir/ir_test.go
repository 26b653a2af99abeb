package ir

import "testing"

func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		from, path string
		want       bool
	}{
		{"example.org/a", "example.org/b", true},
		{"example.org/a", "example.org/a/internal/x", true},
		{"example.org/a/b", "example.org/a/internal/x", true},
		{"example.org/ab", "example.org/a/internal/x", false},
		{"example.org/a", "example.org/a/b/internal", false},
		{"example.org/a/b/c", "example.org/a/b/internal", true},
		{"example.org/a/internal/y", "example.org/a/internal/x/internal/z", false},
		{"example.org/a", "internal/abi", false},
		{"reflect", "internal/abi", true},
		{"example.org/a", "example.org/internals/x", true},
	} {
		if got := MayImport(c.from, c.path); got != c.want {
			t.Errorf("MayImport(%s, %s) = %v", c.from, c.path, got)
		}
	}
}

func TestSpellable(t *testing.T) {
	own := &Type{Kind: Int, Name: &TypeName{Pkg: "example.org/a", Name: "own"}}
	foreign := &Type{Kind: Int, Name: &TypeName{Pkg: "example.org/b", Name: "B", Exported: true}}
	hidden := &Type{Kind: Int, Name: &TypeName{Pkg: "example.org/b", Name: "b"}}
	inner := &Type{Kind: Int, Name: &TypeName{Pkg: "example.org/b/internal/c", Name: "C", Exported: true}}
	for _, c := range []struct {
		name string
		t    *Type
		want bool
	}{
		{"own", own, true},
		{"foreign", foreign, true},
		{"foreign unexported", hidden, false},
		{"internal", inner, false},
		{"slice of unexported", &Type{Kind: Slice, Elem: hidden}, false},
		{"map with unexported key", &Type{Kind: Map, Key: hidden, Elem: own}, false},
		{"generic with unexported argument", &Type{Kind: Struct, Name: &TypeName{Pkg: "example.org/a", Name: "P", Args: []*Type{hidden}}}, false},
		{"generic", &Type{Kind: Struct, Name: &TypeName{Pkg: "example.org/a", Name: "P", Args: []*Type{foreign}}}, true},
		{"struct with foreign unexported field", &Type{Kind: Struct, Fields: []*Field{{Name: "x", Pkg: "example.org/b", Type: own}}}, false},
		{"struct with own unexported field", &Type{Kind: Struct, Fields: []*Field{{Name: "x", Pkg: "example.org/a", Type: own}}}, true},
		{"channel", &Type{Kind: Chan}, false},
	} {
		if got := c.t.Spellable("example.org/a"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestProblems(t *testing.T) {
	at := func(file string, line int) Pos { return Pos{file, line, 2} }
	err := Problems{
		{at("b.go", 1), "B.X", "bad", ""},
		{at("a.go", 10), "A.Y", "bad", "mend it"},
		{at("a.go", 9), "A.X", "bad", ""},
		{at("a.go", 10), "Other.Y", "bad", "mend it"}, // the same place reached twice
		{Pos{}, "", "no place", ""},
	}.Err()
	const want = "no place\na.go:9:2: A.X: bad\na.go:10:2: A.Y: bad; mend it\nb.go:1:2: B.X: bad"
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if (Problems{}).Err() != nil {
		t.Error("no problems are an error")
	}
}
