package load

import (
	"context"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

const shop = "github.com/zmylab/zmy/gen/load/testdata/shop"

func loadShop(t *testing.T) *Pkg {
	t.Helper()
	p, err := Load(context.Background(), Config{}, "./testdata/shop")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The shop's sources do not compile as they are: they use methods and a view
// that are still to be generated, and hold stale output and a broken test.
func TestLoadShop(t *testing.T) {
	p := loadShop(t)
	if p.Path != shop || p.Name != "shop" || p.Module == nil || p.Module.Path != "github.com/zmylab/zmy/gen" || !p.Module.Main {
		t.Errorf("package %s %s of module %+v", p.Path, p.Name, p.Module)
	}
	if len(p.Generated) != 1 || !p.Generated[0].Hidden || p.Generated[0].By != "fxjson" {
		t.Errorf("generated files: %+v", p.Generated)
	}
	var got []string
	for _, c := range p.Candidates() {
		got = append(got, c.Name)
		if c.Sample != (c.Name == "Order") {
			t.Errorf("%s: Sample = %v", c.Name, c.Sample)
		}
	}
	if want := []string{"Order", "Item", "order", "Sized"}; !equal(got, want) {
		t.Errorf("candidates %v, want %v", got, want)
	}
	if _, ok := p.world.units[p.unit.meta.Imports["net/http"]]; ok {
		t.Error("net/http was read although no declaration names it")
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestBuildInterns(t *testing.T) {
	p := loadShop(t)
	k, err := p.Build("Order", "Alias", "Page[Item]", "Page[order]", "AliasPage", "GenericAlias[int]", "Pair[string,int]", "http.Header")
	if err != nil {
		t.Fatal(err)
	}
	r := k.Roots
	if r[0] != r[1] || r[3] != r[4] || r[5] != r[6] || r[2] == r[3] {
		t.Error("identical types are not one")
	}
	for i, typ := range k.Types {
		if typ.ID != i || typ.Kind == ir.Invalid {
			t.Errorf("type %d: %+v", i, typ)
		}
	}
	if h := r[7]; h.Kind != ir.Map || h.Name.Pkg != "net/http" || h.Elem.Kind != ir.Slice {
		t.Errorf("http.Header: %+v", h)
	}
}
