package gojson

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// stdProgram uses types with generated MarshalJSON and UnmarshalJSON through
// encoding/json, above all where they fail: then encoding/json is asked for the
// error, and must not come back to the methods.
const stdProgram = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sync"

	"github.com/zmylab/zmy/fxjson"
)

type Outer struct {
	F     float64
	Inner Inner
	Any   any
}

type Text struct {
	S   string ` + "`json:\"a<b\"`" + `
	Any any    ` + "`json:\"c&d\"`" + `
}

type Inner struct {
	N    int8
	Next *Inner
}

type Locked struct {
	mu sync.Mutex
	N  int
}

func check(ok bool, what string, args ...any) {
	if !ok {
		fmt.Printf(what+"\n", args...)
		os.Exit(1)
	}
}

func main() {
	v := Outer{F: 1.5, Inner: Inner{N: 1, Next: &Inner{N: 2}}, Any: &Inner{N: 3}}
	b, err := json.Marshal(v)
	const want = ` + "`" + `{"F":1.5,"Inner":{"N":1,"Next":{"N":2,"Next":null}},"Any":{"N":3,"Next":null}}` + "`" + `
	check(err == nil && string(b) == want, "Marshal: %s, %v", b, err)
	var back Outer
	err = json.Unmarshal(b, &back)
	check(err == nil && back.Inner.Next.N == 2, "Unmarshal: %+v, %v", back, err)

	text := Text{"<\u2028>", map[string]any{"&": "<", "raw": json.RawMessage(" [ \"<\u2028\" ]")}}
	type bare Text
	for _, escape := range []bool{false, true} {
		var have, want bytes.Buffer
		for _, c := range []struct {
			v   any
			out *bytes.Buffer
		}{{text, &have}, {bare(text), &want}} {
			enc := json.NewEncoder(c.out)
			enc.SetEscapeHTML(escape)
			check(enc.Encode(c.v) == nil, "text was refused")
		}
		check(have.String() == want.String(), "escaping %v: have %s, want %s", escape, &have, &want)
	}

	v.F = math.NaN()
	for _, marshal := range []func(any) ([]byte, error){json.Marshal, fxjson.Marshal} {
		_, err = marshal(v)
		check(err != nil, "NaN was marshaled")
		_, err = marshal(&v)
		check(err != nil, "NaN was marshaled")
	}
	loop := &Inner{}
	loop.Next = loop
	_, err = fxjson.Marshal(loop)
	check(err != nil, "a cycle was marshaled")

	for _, doc := range []string{` + "`" + `{"F":1,"Inner":{"N":300}}` + "`, `" + `{"F":"x","Inner":{"N":3}}` + "`, `" + `{"F":1,"Inner":{"N":` + "`" + `} {
		for _, unmarshal := range []func([]byte, any) error{json.Unmarshal, fxjson.Unmarshal} {
			check(unmarshal([]byte(doc), new(Outer)) != nil, "%s was accepted", doc)
			check(unmarshal([]byte(doc), &Outer{F: 1, Inner: Inner{Next: &Inner{}}}) != nil, "%s was accepted", doc)
		}
	}
	l := &Locked{N: 5}
	b, err = l.AppendJSON(nil)
	check(err == nil && string(b) == "{\"N\":5}", "Locked: %s, %v", b, err)
}
`

func TestStdMethods(t *testing.T) {
	dir := t.TempDir()
	core, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	write := func(name, src string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/std\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => "+core+"\n")
	write("main.go", stdProgram)
	src := generate(t, dir, Options{By: "fxjson -type=Outer,Inner,Locked,Text", StdMethods: true}, "Outer", "Inner", "Locked", "Text")
	write("outer_json.go", string(src))
	for _, args := range [][]string{{"vet", "."}, {"run", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s\n%s", args[0], err, out, src)
		}
	}
}
