package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// The oracle of the JSON plan is encoding/json. Types are written at random,
// with every kind of embedding, conflict and tag; a program fills each leaf with
// a number that spells its index path and marshals it. The plan must foretell
// the very bytes.
func TestJSONFieldsAgainstEncodingJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	const n = 400
	write(t, dir, "go.mod", "module example.org/embed\n\ngo 1.24\n")
	write(t, dir, "types.go", randomTypes(rand.New(rand.NewPCG(1, 2)), n))
	write(t, dir, "main.go", embedMain)
	env := append(os.Environ(), "GOWORK=off")
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir, Env: env}, ".")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != n {
		t.Fatalf("%d lines, want %d", len(lines), n)
	}
	multi := 0
	for _, line := range lines {
		name, want, _ := strings.Cut(line, " ")
		k, err := p.Build(name)
		if err != nil {
			t.Fatal(err)
		}
		fields := jsonFields(k.Roots[0]).fields
		if got := foretell(t, fields); got != want {
			t.Errorf("type %s:\nplan          %s\nencoding/json %s", name, got, want)
		}
		for _, f := range fields {
			if len(f.Steps) > 1 {
				multi++
			}
		}
	}
	if multi < n/2 {
		t.Errorf("only %d fields come from two levels down: the types are too plain to prove anything", multi)
	}
}

// foretell writes the object that the plan expects of [embedMain].
func foretell(t *testing.T, fields []*ir.JSONField) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		val := int64(0)
		for _, st := range f.Steps {
			val = val<<4 | int64(st.Index+1)
		}
		val = val<<4 | int64(f.Index+1)
		base, _ := embeddedType(f.Type)
		switch {
		case isStruct(base):
			fmt.Fprintf(&b, "%s:struct", key)
			continue
		case base.Kind == ir.String && f.Quoted:
			fmt.Fprintf(&b, `%s:"\"%d\""`, key, val)
		case base.Kind == ir.String || f.Quoted:
			fmt.Fprintf(&b, `%s:"%d"`, key, val)
		default:
			fmt.Fprintf(&b, `%s:%d`, key, val)
		}
	}
	return b.String() + "}"
}

// randomTypes writes n struct types T0…, which embed each other.
func randomTypes(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("package main\n\ntype Num int64\ntype num int64\ntype Text string\n")
	tags := []string{"", "", "", "", "", "`json:\"A\"`", "`json:\"B,omitempty\"`", "`json:\"C,string\"`", "`json:\",string\"`",
		"`json:\"-\"`", "`json:\"-,\"`", "`json:\"a b\"`", "`json:\"q\\\"\"`", "`json:\"é,omitzero\"`", "`yaml:\"A\"`", "`json:\"D\" yaml:\"E\"`"}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := func(i int) string { return pick("T", "t") + fmt.Sprint(i) }
	for i := range n {
		fmt.Fprintf(&b, "\ntype T%d struct {\n", i)
		used := map[string]bool{}
		for range 1 + r.IntN(5) {
			field, decl := "", ""
			switch k := r.IntN(10); {
			case k < 4 && i > 0:
				field = name(i - 1 - r.IntN(min(i, 5)))
				decl = pick("", "", "*") + field
			case k == 4:
				field = pick("Num", "num", "Text")
				decl = pick("", "*") + field
			default:
				field = pick("A", "B", "C", "D", "E", "x")
				decl = field + " " + pick("int64", "*int64", "string", "Num", "uint8")
				if strings.HasSuffix(decl, "uint8") {
					decl = field + " int" // the path's number must fit
				}
			}
			if !used[field] {
				used[field] = true
				fmt.Fprintf(&b, "\t%s %s\n", decl, pickTag(r, tags, decl))
			}
		}
		fmt.Fprintf(&b, "}\n\ntype t%d T%d\n", i, i)
	}
	b.WriteString("\nvar all = []any{")
	for i := range n {
		fmt.Fprintf(&b, "new(T%d), ", i)
	}
	return b.String() + "}\n"
}

// pickTag keeps names off most embedded structs, which would stop promotion.
func pickTag(r *rand.Rand, tags []string, decl string) string {
	if !strings.Contains(decl, " ") && r.IntN(4) > 0 {
		return ""
	}
	return tags[r.IntN(len(tags))]
}

// embedMain prints one line for each type: its name and its object, where a
// member that is a struct is replaced by the word.
const embedMain = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

func main() {
	for _, p := range all {
		v := reflect.ValueOf(p).Elem()
		fill(v, 0)
		var members struct{ list []string }
		src, err := json.Marshal(p)
		if err != nil {
			panic(err)
		}
		d := json.NewDecoder(bytes.NewReader(src))
		d.Token()
		for d.More() {
			key, _ := d.Token()
			k, _ := json.Marshal(key)
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				panic(err)
			}
			if raw[0] == '{' {
				raw = []byte("struct")
			}
			members.list = append(members.list, string(k)+":"+string(raw))
		}
		var out bytes.Buffer
		for i, m := range members.list {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(m)
		}
		fmt.Printf("%s {%s}\n", v.Type().Name(), out.String())
	}
}

// fill sets every leaf, unexported ones too, to the number of its path.
func fill(v reflect.Value, path int64) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), path<<4|int64(i+1))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path)
	case reflect.String:
		v.SetString(strconv.FormatInt(path, 10))
	default:
		v.SetInt(path)
	}
}
`

func write(t *testing.T, dir, name, src string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
}
