package proto

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files")

func shop(t *testing.T, typ string) *ir.Package {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: "testdata/shop"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := p.Build(typ)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestText(t *testing.T) {
	tree := shop(t, "Order")
	f, problems := Build(tree, tree.Roots, "shop")
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	f.GoPackage = "example.org/shop/pb"
	got := f.Text()
	const golden = "testdata/shop/shop.proto"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("text differs from %s; run with -update and read the difference:\n%s", golden, got)
	}
}

// TestEveryFieldOnce holds numbers and names of each message apart.
func TestEveryFieldOnce(t *testing.T) {
	tree := shop(t, "Order")
	f, _ := Build(tree, tree.Roots, "shop")
	messages := map[string]bool{}
	for _, m := range f.Messages {
		if messages[m.Name] {
			t.Errorf("message %s twice", m.Name)
		}
		messages[m.Name] = true
		names := map[string]bool{}
		for i, x := range m.Fields {
			if key := fold(x.Name); names[key] || x.Number != int32(i+1) {
				t.Errorf("%s.%s = %d", m.Name, x.Name, x.Number)
			} else {
				names[key] = true
			}
		}
	}
}

func TestProblems(t *testing.T) {
	tree := shop(t, "Wrong")
	_, problems := Build(tree, tree.Roots, "shop")
	want := []string{
		`shop.go:63:2: Wrong.Done: has type chan int, which has no form in proto3; leave it out with struct tag json:"-"`,
		`shop.go:64:18: Wrong.Items[].F: has type func(), which has no form in proto3; leave it out with struct tag json:"-"`,
		`shop.go:65:2: Wrong.Err: has type error, which has no form in proto3; leave it out with struct tag json:"-"`,
	}
	if got := problems.Sort().Error(); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"ID": "id", "UserID": "user_id", "HTTPPort": "http_port", "Sha256Sum": "sha256_sum", "A_B": "a_b", "x": "x", "_": "f_", "Ünit": "udcnit",
	} {
		if got := snake(in); got != want {
			t.Errorf("snake(%s) = %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"order": "Order", "a_b": "AB", "SKU": "SKU", "ürgh": "Ufcrgh"} {
		if got := camel(in); got != want {
			t.Errorf("camel(%s) = %s, want %s", in, got, want)
		}
	}
	n := names{}
	if a, b, c := n.take("foo_bar"), n.take("fooBar"), n.take("foo_bar"); a != "foo_bar" || b != "fooBar2" || c != "foo_bar3" {
		t.Error(a, b, c)
	}
}
