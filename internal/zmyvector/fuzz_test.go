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
	f.Fuzz(func(t *testing.T, n byte, b []byte) {
		if _, err := Agree(*pick(n), b, zmymodel.Limits{Exact: n >= 128}); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzIdentity: unmarshal and the verifier give one verdict, at one place. What is
// accepted as this version is written as it was read; what is of another becomes
// this version once, and then stays as it is.
func FuzzIdentity(f *testing.F) {
	seeds(f)
	var buf, again []byte
	f.Fuzz(func(t *testing.T, n byte, b []byte) {
		r := pick(n)
		o := zmy.UnmarshalOptions{NoCopy: true, Exact: n >= 128}
		v := r.New()
		err := v.UnmarshalZMYOptions(b, o)
		got := Wire(err)
		if got == nil || got.Code != "VERSION" && got.Code != "BUDGET" {
			if err := same("unmarshal, verify", got, Wire(r.Verify(b, o)), false); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			return
		}
		if buf, err = v.AppendZMYOptions(buf[:0], writing); err != nil {
			t.Fatal(err)
		}
		if o.Exact {
			if !bytes.Equal(buf, b) {
				t.Fatalf("read %x, written %x", b, buf)
			}
			return
		}
		o.Exact = true
		w := r.New()
		if err := w.UnmarshalZMYOptions(buf, o); err != nil && Wire(err).Code != "VERSION" {
			t.Fatalf("%x became %x: %v", b, buf, err)
		} else if err != nil {
			o.Exact = false // it carries what a newer version has
			if err := w.UnmarshalZMYOptions(buf, o); err != nil {
				t.Fatal(err)
			}
		}
		if again, err = w.AppendZMYOptions(again[:0], writing); err != nil || !bytes.Equal(again, buf) {
			t.Fatalf("%x became %x, then %x: %v", b, buf, again, err)
		}
	})
}

var writing = zmy.MarshalOptions{MaxWire: 1 << 26}

// FuzzViews calls every accessor of views, verified and not.
func FuzzViews(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, n byte, b []byte) {
		r := pick(n)
		if v, err := r.View(b, zmy.UnmarshalOptions{}); err == nil {
			Walk(v)
		}
		if v, err := r.Lazy(b); err == nil {
			Walk(v)
		}
	})
}

// FuzzModes reads in each mode, into a value that held another one: all write the
// same, and where copies were asked for nothing points into the input.
func FuzzModes(f *testing.F) {
	seeds(f)
	held := map[*Reader]Message{}
	var first, buf, in []byte
	f.Fuzz(func(t *testing.T, n byte, b []byte) {
		r := pick(n)
		v := r.New()
		if v.UnmarshalZMYOptions(b, zmy.UnmarshalOptions{NoCopy: true}) != nil {
			return
		}
		var err error
		if first, err = v.AppendZMYOptions(first[:0], writing); err != nil {
			t.Fatal(err)
		}
		if held[r] == nil {
			held[r] = r.New()
		}
		for i, v := range []Message{r.New(), r.New(), held[r]} {
			in = append(in[:0], b...)
			if err := v.UnmarshalZMYOptions(in, zmy.UnmarshalOptions{CopyEach: i == 1, Reuse: i == 2}); err != nil {
				t.Fatalf("mode %d: %v", i, err)
			}
			for j := range in {
				in[j] ^= 0xa5
			}
			if buf, err = v.AppendZMYOptions(buf[:0], writing); err != nil || !bytes.Equal(buf, first) {
				t.Fatalf("mode %d: %x written as %x, not %x: %v", i, b, buf, first, err)
			}
		}
	})
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
		if got := modelFrame(b, l, stream); got.Code != want.Code || got.fields() != want.fields() || !bytes.Equal(got.Reencode, want.Reencode) {
			t.Fatalf("package zmy: %+v\nmodel: %+v", want, got)
		}
	})
}
