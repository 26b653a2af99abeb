package gen_test

import (
	"go/format"
	"os"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
)

// TestNumberProto adds struct tags to a package whose fields are declared in all ways. The result is
// held against text, has code, and is complete: a second run changes nothing.
func TestNumberProto(t *testing.T) {
	src, err := format.Source([]byte(`package numbers

import (
	"math/big"
	"net/netip"

	"example.org/numbers/dep"
)

// Order is numbered.
type Order struct {
	ID       string ` + "`json:\"id\"`" + ` // its key
	A, B     int64
	Old      bool   "json:\"old\""
	Seven    uint32 ` + "`proto:\"7,fixed\"`" + `
	Cache    []byte ` + "`json:\"-\"`" + `
	hidden   int
	Legacy   string ` + "`protobuf:\"bytes,9,opt,name=legacy,proto3\"`" + `
	Items    []*Item
	Inner    struct{ X, Y float64 }
	ByName   map[string]Item
	*Base
	Page[Item]
	Done dep.Done
	Addr *netip.Addr
	Sums map[string]big.Rat
	Key  dep.Key
}

type Base struct{ At int64 }

type Page[T any] struct {
	Items []T
}
`))
	if err != nil {
		t.Fatal(err)
	}
	module(t, "numbers", map[string]string{
		"a.go": string(src),
		"b.go": `package numbers

type Item struct {
	Sku string
	Next *Item
}
`, // not formatted, and stays so
		"dep/dep.go": "package dep\n\ntype Done struct {\n\tN int `proto:\"1\"`\n}\n" + `
type Key struct{ b byte }

func (k Key) MarshalBinary() ([]byte, error) { return []byte{k.b}, nil }

func (k *Key) UnmarshalBinary(b []byte) error {
	k.b = b[0]
	return nil
}
`,
	})
	if err := os.Chmod("b.go", 0o600); err != nil {
		t.Fatal(err)
	}
	files := numbered(t, "Order")
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
	got := strings.Join(strings.Fields(string(readFile(t, "a.go"))), " ") + string(readFile(t, "b.go"))
	for _, want := range []string{
		"ID string `json:\"id\" proto:\"10\"` // its key", "A int64 `proto:\"11\"` B int64 `proto:\"12\"`",
		"Old bool `json:\"old\" proto:\"13\"`", "Seven uint32 `proto:\"7,fixed\"`", "hidden int",
		"Cache []byte `json:\"-\" proto:\"-\"`",
		"Items []*Item `proto:\"14\"`", "Inner struct { X float64 `proto:\"1\"` Y float64 `proto:\"2\"` } `proto:\"15\"`",
		"map[string]Item `proto:\"16\"`", "*Base `proto:\"17\"`", "Page[Item] `proto:\"18\"`", "Done dep.Done `proto:\"19\"`",
		"Addr *netip.Addr `proto:\"20,text\"`", "Sums map[string]big.Rat `proto:\"21,val:text\"`", "Key dep.Key `proto:\"22,binary\"`",
		"At int64 `proto:\"1\"`",
		"Items []T `proto:\"1\"`", "\tSku string `proto:\"1\"`\n\tNext *Item `proto:\"2\"`\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	if info, err := os.Stat("b.go"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if again := numbered(t, "Order"); len(again) != 0 {
		t.Errorf("a second run changes %s", again[0].Path)
	}
	p, err := load.Load(t.Context(), load.Config{Dir: "."}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gen.Proto(p, []string{"Order"}, gen.Options{}); err != nil {
		t.Error(err)
	}
}

// TestNumberProtoRefuses names what it cannot edit.
func TestNumberProtoRefuses(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"type T struct{ A, B struct{ X int } }", "fields A and B share one declaration"},
		{"type T struct{ A, B int `json:\"-\"` }", "fields A and B share one declaration"},
		{"type T struct{ A int `proto: \"1\"` }", "is not of the form"},
		{"type T struct{ A int; C chan int }", "chan int has no form"},
		{"type T struct{ D dep.Done }", "run fxproto -number -type=Done in package example.org/numbers/dep"},
	} {
		module(t, "numbers", map[string]string{
			"a.go":       "package numbers\n\nimport \"example.org/numbers/dep\"\n\nvar _ dep.Done\n\n" + c.src + "\n",
			"dep/dep.go": "package dep\n\ntype Done struct {\n\tN int\n}\n",
		})
		p, err := load.Load(t.Context(), load.Config{Dir: "."}, ".")
		if err != nil {
			t.Fatal(err)
		}
		files, err := gen.NumberProto(p, []string{"T"})
		if err == nil && len(files) > 0 {
			err = files[0].Notes().Err()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}

// numbered runs NumberProto in the working folder.
func numbered(t *testing.T, types ...string) []gen.File {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: "."}, ".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := gen.NumberProto(p, types)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
