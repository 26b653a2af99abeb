package zmyvector

import (
	"bytes"
	"math"
	"runtime/metrics"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

// The inputs of all fuzz tests of messages: which reader, and bytes. Their seeds
// are the vectors.
func seeds(f *testing.F) {
	number := map[string]byte{}
	for i, r := range Readers() {
		number[r.Name] = byte(i)
	}
	eachVector(f, func(v *Vector) {
		if n, ok := number[v.Reader]; ok {
			if b := v.Bytes(); len(b) <= 1024 {
				f.Add(n, b)
			}
		}
	})
}

func pick(n byte) *Reader {
	list := Readers()
	return &list[int(n)%len(list)]
}

// FuzzAgree holds generated code and the verifier against the model.
func FuzzAgree(f *testing.F) {
	seeds(f)
	var c checks
	f.Fuzz(func(t *testing.T, n byte, b []byte) { report(t, c.agree(pick(n), n >= 128, b)) })
}

// FuzzIdentity: see checks.identity.
func FuzzIdentity(f *testing.F) {
	seeds(f)
	var c checks
	f.Fuzz(func(t *testing.T, n byte, b []byte) { report(t, c.identity(pick(n), n >= 128, b)) })
}

// FuzzViews: see checks.views.
func FuzzViews(f *testing.F) {
	seeds(f)
	var c checks
	f.Fuzz(func(t *testing.T, n byte, b []byte) { report(t, c.views(pick(n), false, b)) })
}

// FuzzModes: see checks.modes.
func FuzzModes(f *testing.F) {
	seeds(f)
	var c checks
	f.Fuzz(func(t *testing.T, n byte, b []byte) { report(t, c.modes(pick(n), false, b)) })
}

func report(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzAllocation measures that reading takes no more memory than budget and input
// allow. A unit is about a byte; what pointers, maps and big numbers take beside
// their units is within the factor.
func FuzzAllocation(f *testing.F) {
	seeds(f)
	const budget, factor, slack = 4 << 10, 8, 64 << 10
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	f.Fuzz(func(t *testing.T, n byte, b []byte) {
		r := pick(n)
		most := factor*(budget+uint64(len(b))) + slack
		used := uint64(math.MaxUint64)
		for try := 0; try < 5 && used > most; try++ { // what other goroutines take meanwhile is counted too
			v := r.New()
			metrics.Read(sample)
			before := sample[0].Value.Uint64()
			_ = v.UnmarshalZMYOptions(b, zmy.UnmarshalOptions{Budget: budget})
			metrics.Read(sample)
			used = min(used, sample[0].Value.Uint64()-before)
		}
		if used > most {
			t.Fatalf("at least %d bytes taken for an input of %d under a budget of %d", used, len(b), budget)
		}
	})
}

// FuzzFrames holds readers of envelopes and streams against the model.
func FuzzFrames(f *testing.F) {
	eachVector(f, func(v *Vector) {
		if frames[v.Reader] != nil {
			f.Add(v.Reader == "stream", v.Bytes())
		}
	})
	f.Fuzz(func(t *testing.T, stream bool, b []byte) {
		l := zmymodel.Limits{MaxWire: 1 << 12, MaxRaw: 1 << 13}
		want, err := goFrame(b, l, stream, Stored)
		if err != nil {
			t.Fatal(err)
		}
		if got := modelFrame(b, l, stream); got.Code != want.Code || got.Value() != want.Value() || !bytes.Equal(got.Reencode, want.Reencode) {
			t.Fatalf("package zmy: %+v\nmodel: %+v", want, got)
		}
	})
}
