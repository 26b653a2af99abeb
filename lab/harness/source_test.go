package harness

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// The main file hands the package's sample functions over, and imports what that needs
// only where there are some.
func TestMainFile(t *testing.T) {
	src := &contender.Sources{Main: "zzNew()"}
	s := &plan.Subject{Pkg: &load.Pkg{Name: "shop"}, Expr: "Order", Name: "shop.Order", Samplers: []string{"SampleItem", "SampleMoney"}}
	with := string(mainFile(s, src))
	for _, want := range []string{`zzvalues "zmylab.invalid/lab/values"`, `zzvalues.SamplerOf("SampleItem", SampleItem)`, `zzvalues.SamplerOf("SampleMoney", SampleMoney)`, "type ZZSubject = Order"} {
		if !strings.Contains(with, want) {
			t.Errorf("%s is missing in\n%s", want, with)
		}
	}
	s.Constants = map[string][]string{"example.com/shop.Status": {"a\"b", "open"}}
	if with := string(mainFile(s, src)); !strings.Contains(with, `Constants: map[string][]string{`) || !strings.Contains(with, `"example.com/shop.Status": []string{"a\"b", "open"},`) {
		t.Errorf("constants are missing in\n%s", with)
	}
	s.Constants = nil
	s.Samplers, s.Sample = nil, "SampleOrder"
	without := string(mainFile(s, src))
	if strings.Contains(without, "zzvalues") || !strings.Contains(without, "Sample: SampleOrder") {
		t.Errorf("with a function for the type itself:\n%s", without)
	}
}
