package gobin_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/versions"
	"github.com/zmylab/zmy/wire"
)

var wideOpen = zmy.MarshalOptions{MaxWire: 1 << 24}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		var v, got kinds.Every
		fill(r, reflect.ValueOf(&v).Elem(), 3+i%6)
		b, err := wideOpen.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		o := zmy.UnmarshalOptions{MaxWire: 1 << 24, Exact: true, NoCopy: i%2 == 0}
		if err := o.Unmarshal(b, &got); err != nil {
			t.Fatalf("%v\n%x", err, b)
		}
		if !reflect.DeepEqual(v, got) {
			t.Fatalf("value %d changed:\n%+v\n%+v", i, v, got)
		}
		if _, err := kinds.ViewEveryOptions(b, o); err != nil {
			t.Fatalf("verify: %v\n%x", err, b)
		}
		again, err := wideOpen.Append([]byte("before"), &got)
		if err != nil || !bytes.Equal(again[6:], b) {
			t.Fatalf("marshal again: %v\n%x\n%x", err, b, again)
		}
	}
}

// A target that held another value before must hold exactly the new one.
func TestReuse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var got kinds.Every
	for range 1000 {
		var v kinds.Every
		fill(r, reflect.ValueOf(&v).Elem(), 7)
		b, err := wideOpen.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		o := zmy.UnmarshalOptions{MaxWire: 1 << 24, Reuse: true}
		if err := o.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, got) {
			t.Fatalf("changed:\n%+v\n%+v", v, got)
		}
	}
}

func TestZeroIsEmpty(t *testing.T) {
	b, err := zmy.Marshal(&kinds.Every{})
	if err != nil {
		t.Fatal(err)
	}
	want := 4 + 5*2 // every field of Every is a tail
	if len(b) != want {
		t.Errorf("zero value has %d bytes, want %d: %x", len(b), want, b)
	}
}

// unmarshalAny and the verifier must agree on every input; what they accept as
// this version's must marshal to the same bytes.
func agree(t *testing.T, b []byte) (accepted bool) {
	t.Helper()
	var v kinds.Every
	o := zmy.UnmarshalOptions{MaxWire: 1 << 20, Budget: 1 << 40}
	err := o.Unmarshal(b, &v)
	_, verr := kinds.ViewEveryOptions(b, o)
	sameVerdict(t, b, err, verr)
	if err != nil {
		var de *zmy.DecodeError
		if !errors.As(err, &de) || de.Offset < 0 || de.Offset > len(b) {
			t.Fatalf("bad error %v for %d bytes", err, len(b))
		}
		return false
	}
	again, err := wideOpen.Append(nil, &v)
	if err != nil {
		t.Fatalf("accepted, but does not marshal: %v\n%x", err, b)
	}
	o.Exact = true
	if o.Unmarshal(b, new(kinds.Every)) == nil && !bytes.Equal(again, b) {
		t.Fatalf("accepted bytes are not what marshal makes:\n%x\n%x", b, again)
	}
	return true
}

// sameVerdict holds the errors of unmarshal and of the verifier against each other.
func sameVerdict(t *testing.T, b []byte, err, verr error) {
	t.Helper()
	var c, vc wire.Code
	errors.As(err, &c)
	errors.As(verr, &vc)
	if c == wire.ErrMethod {
		return // what methods of the user's say is nothing that a verifier knows
	}
	if (err == nil) != (verr == nil) || c != vc {
		t.Fatalf("unmarshal says %v, verify says %v\n%x", err, verr, b)
	}
}

func samples(n int, seed uint64) (out [][]byte) {
	r := rand.New(rand.NewPCG(seed, 5))
	for i := range n {
		var v kinds.Every
		fill(r, reflect.ValueOf(&v).Elem(), 3+i%5)
		b, err := wideOpen.Append(nil, &v)
		if err != nil {
			panic(err)
		}
		out = append(out, b)
	}
	return out
}

func TestTruncations(t *testing.T) {
	for _, b := range samples(6, 7) {
		for n := range b {
			if agree(t, b[:n:n]) {
				t.Fatalf("accepted the first %d of %d bytes", n, len(b))
			}
		}
		if agree(t, append(b[:len(b):len(b)], 0)) {
			t.Fatal("accepted a byte too many")
		}
	}
}

// damaged is a copy of b with one to three places changed.
func damaged(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		p := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[p] ^= 1 << r.IntN(8)
		case 1:
			b[p] = byte(r.Uint32())
		case 2:
			b[p] += byte(r.IntN(5) - 2)
		case 3:
			q := r.IntN(len(b))
			copy(b[p:], b[q:min(len(b), q+8)])
		}
	}
	return b
}

func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	accepted := 0
	all := samples(200, 10)
	for i := range 60000 {
		b := damaged(r, all[i%len(all)])
		if agree(t, b) {
			accepted++
		}
	}
	if accepted == 0 {
		t.Error("no mutation was accepted: the test sees only refusals")
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, b := range samples(30, 11) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { agree(t, b) })
}

func TestVersions(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	for range 3000 {
		var v3 versions.V3
		fill(r, reflect.ValueOf(&v3).Elem(), 6)
		b3, err := zmy.Marshal(&v3)
		if err != nil {
			t.Fatal(err)
		}
		var v1, v1again versions.V1
		var v2 versions.V2
		if err := zmy.Unmarshal(b3, &v1); err != nil {
			t.Fatalf("v1 reads v3: %v\n%x", err, b3)
		}
		if err := zmy.Unmarshal(b3, &v2); err != nil {
			t.Fatalf("v2 reads v3: %v\n%x", err, b3)
		}
		if v1.ID != v3.ID || v1.Name != v3.Name || len(v1.Parts) != len(v3.Parts) || v2.Done != v3.Done {
			t.Fatalf("fields changed:\n%+v\n%+v", v3, v1)
		}
		b1, err := zmy.Marshal(&v1)
		if err != nil {
			t.Fatal(err)
		}
		var up versions.V3
		if err := zmy.Unmarshal(b1, &up); err != nil {
			t.Fatalf("v3 reads v1: %v\n%x", err, b1)
		}
		if up.Done || up.Rate != 0 || up.Main != nil || len(up.Parts) != len(v1.Parts) {
			t.Fatalf("v3 from v1: %+v", up)
		}
		b3, _ = zmy.Marshal(&up)
		if err := zmy.Unmarshal(b3, &v1again); err != nil || !reflect.DeepEqual(v1, v1again) {
			t.Fatalf("v1 → v3 → v1: %v\n%+v\n%+v", err, v1, v1again)
		}
		if _, err := versions.ViewV1(b3); err != nil {
			t.Fatal(err)
		}
		if _, err := versions.ViewV3(b1); err != nil {
			t.Fatal(err)
		}
	}
}
