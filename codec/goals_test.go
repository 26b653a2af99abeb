package codec_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkGoals are what the package's goals are about (tools/goals/run.yaml): what it
// costs around a codec. That they do not allocate is tested too.
func BenchmarkGoals(b *testing.B) {
	r := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, codec.Gob{}, nothing{})
	order := orderlite.SampleOrder(rand.New(rand.NewPCG(3, 3)))
	if err := codec.SetTypeFor[orderlite.Order](r, "zmy"); err != nil {
		b.Fatal(err)
	}
	v, ctx := any(&order), context.Background()
	unset, err := r.Lookup("nothing")
	if err != nil {
		b.Fatal(err)
	}
	set := codec.Observe(nothing{}, nobody{})
	var p codec.Pool
	lease := p.Get(64).Lease()
	negotiate := func(accept string) func() {
		return func() {
			if _, _, err := r.Negotiate(accept); err != nil {
				panic(err)
			}
		}
	}
	for _, k := range []struct {
		name string
		f    func()
	}{
		{"find-by-name", func() { _, _ = r.Lookup("gob") }},
		{"find-by-media-type", func() { _, _ = r.ByMediaType("application/json; charset=utf-8") }},
		{"find-by-go-type", func() { _, _ = r.For(v) }},
		{"negotiate-nothing", negotiate("")},
		{"negotiate-curl", negotiate("*/*")},
		{"negotiate-json", negotiate("application/json")},
		{"negotiate-fallback", negotiate("application/vnd.zmy, application/json;q=0.5")},
		{"negotiate-axios", negotiate("application/json, text/plain, */*")},
		{"codec-itself", func() { _ = nothingItself.Unmarshal(nil, v) }},
		{"not-observed", func() { _ = unset.Unmarshal(nil, v) }},
		{"observed", func() { _ = set.Unmarshal(nil, v) }},
		{"with-context", func() { _ = codec.WithContext(ctx, unset) }},
		{"as", func() { _, _ = codec.As[codec.Appender](unset) }},
		{"pool", func() { p.Get(4096).Release() }},
		{"lease", func() { lease.Retain(); _ = lease.Bytes(); lease.Release() }},
	} {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			defer cputime.Report(b)()
			for b.Loop() {
				k.f()
			}
		})
	}
}

// nothingItself is called as any codec is, through the interface.
var nothingItself codec.Codec = nothing{}
