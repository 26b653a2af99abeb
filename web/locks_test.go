package web_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
)

// drawn is a message with the lock by which it is read, perhaps of another version.
type drawn struct {
	Lock    string         `json:"lock"`
	Message string         `json:"message"`
	Want    map[string]any `json:"want"`
}

// Types of fields that are drawn.
type (
	kind uint16
	spot struct {
		X int32 `zmy:"0"`
		Y uint8 `zmy:"1"`
	}
	line struct {
		Name string `zmy:"0"`
		N    int32  `zmy:"1"`
	}
)

const declared = `
struct spot
	0 X int32
	1 Y uint8

struct line
	0 Name string
	1 N int32

enum kind uint16
	1 One
`

// forms are the types in Go, in a lock, and the options there and in the struct tag.
var forms = []struct {
	typ              reflect.Type
	text, word, tags string
}{
	{reflect.TypeFor[int32](), "int32", "", ""},
	{reflect.TypeFor[bool](), "bool", "", ""},
	{reflect.TypeFor[uint8](), "uint8", " json=some", ""},
	{reflect.TypeFor[string](), "string", ` json="a b"`, ""},
	{reflect.TypeFor[kind](), "kind", "", ""},
	{reflect.TypeFor[spot](), "spot", " inline", ",inline"},
	{reflect.TypeFor[line](), "line", " embedded", ""},
	{reflect.TypeFor[[]kind](), "[]kind", "", ""},
	{reflect.TypeFor[[]line](), "[]line", "", ""},
	{reflect.TypeFor[[]string](), "[]string", "", ""},
	{reflect.TypeFor[*kind](), "?kind", "", ""},
	{reflect.TypeFor[[2]kind](), "[2]kind", "", ""},
}

// writeLocks writes every zmy.lock of the tree and drawn messages for the script's test.
func writeLocks(t *testing.T) string {
	t.Helper()
	all := struct {
		Locks map[string]string `json:"locks"`
		Drawn []drawn           `json:"drawn"`
	}{Locks: map[string]string{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "zmy.lock" {
			b, err := os.ReadFile(path)
			all.Locks[path] = string(b)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		all.Drawn = append(all.Drawn, draw(t, r)...)
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "locks.json")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// draw makes a type and an older version of it, and a message of each, which are
// read by the lock of either.
func draw(t *testing.T, r *rand.Rand) (list []drawn) {
	var fields []reflect.StructField
	lines := []string{"zmylock 1\n\nstruct Root lineage=00000000000000aa"}
	for i := range 2 + r.IntN(8) {
		f := forms[r.IntN(len(forms))]
		name := fmt.Sprintf("F%d", i)
		fields = append(fields, reflect.StructField{Name: name, Type: f.typ, Tag: reflect.StructTag(fmt.Sprintf(`zmy:"%d%s"`, i, f.tags))})
		lines = append(lines, fmt.Sprintf("\t%d %s %s%s", i, name, f.text, f.word))
	}
	older := 1 + r.IntN(len(fields)-1)
	versions := []int{older, len(fields)}
	for _, writer := range versions {
		v := reflect.New(reflect.StructOf(fields[:writer]))
		for i := range writer {
			set(r, v.Elem().Field(i))
		}
		b, err := zmy.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		for _, reader := range versions {
			into := reflect.New(reflect.StructOf(fields[:reader]))
			if err := zmy.Unmarshal(b, into.Interface()); err != nil {
				t.Fatal(err)
			}
			want := map[string]any{}
			for i := range reader {
				want[fields[i].Name] = plain(into.Elem().Field(i))
			}
			list = append(list, drawn{strings.Join(lines[:reader+1], "\n") + "\n" + declared, hex.EncodeToString(b), want})
		}
	}
	return list
}

// set sets v to something random.
func set(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int32:
		v.SetInt(int64(int32(r.Uint32())))
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(r.Uint64N(256))
	case reflect.String:
		v.SetString(strings.Repeat("é", r.IntN(4)))
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			set(r, v.Elem())
		}
	case reflect.Slice:
		n := r.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			set(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			set(r, v.Field(i))
		}
	}
}

// plain is v as the script's toJSON shows it: lists as arrays, never null.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Slice, reflect.Array:
		out := []any{}
		for i := range v.Len() {
			out = append(out, plain(v.Index(i)))
		}
		return out
	case reflect.Struct:
		out := map[string]any{}
		for i := range v.NumField() {
			out[v.Type().Field(i).Name] = plain(v.Field(i))
		}
		return out
	}
	return v.Interface()
}
