package zmyvector

import (
	"bytes"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

// dynamics are codecs that know the readers by their schema blocks only.
func dynamics(t testing.TB) map[string]*dynamic.Codec {
	t.Helper()
	out := map[string]*dynamic.Codec{}
	for _, r := range Readers() {
		s, err := schema.Parse([]byte(r.New().(interface{ ZMYSchema() string }).ZMYSchema()))
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		if out[r.Name], err = dynamic.New(s); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
	}
	return out
}

// The dynamic codec accepts what the model does, and says where it does not; what
// it reads it writes as the model does, unknown parts and all. Its budget is one of
// its own, and it reads every version.
func TestDynamic(t *testing.T) {
	codecs := dynamics(t)
	eachVector(t, func(v *Vector) {
		c := codecs[v.Reader]
		if c == nil || v.Limits.Budget > 0 || v.Limits.Exact || v.Expect == "BUDGET" {
			return
		}
		b := v.Bytes()
		o := Options(v.Limits)
		o.Budget = 1 << 40
		tree, err := c.DecodeOptions(b, o)
		got, want := Wire(err), &zmymodel.Fault{Code: v.Expect, Offset: v.At}
		if v.Expect == "ok" {
			want = nil
		}
		if err := same("dynamic", got, want, false); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
		if err != nil || v.Reencode[0] == '#' {
			return
		}
		again, err := c.AppendOptions(nil, tree, zmy.MarshalOptions{MaxWire: 1 << 26, MaxDepth: v.Limits.MaxDepth})
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			return
		}
		reencode := b
		if v.Reencode != "same" {
			if reencode = Unpack(v.Reencode); len(again) > len(reencode) || bytes.Equal(again, b) {
				return // it carries what this reader drops
			}
		}
		if !bytes.Equal(again, reencode) {
			t.Errorf("%s: written as\n%x, want\n%x", v.ID, again, reencode)
		}
	})
}
