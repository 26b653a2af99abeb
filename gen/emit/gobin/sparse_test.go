package gobin_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
)

func randomS2(r *rand.Rand) *carriers.S2 {
	v := new(carriers.S2)
	fill(r, reflect.ValueOf(v).Elem(), 5)
	return v
}

// What an old program does not know of a sparse struct comes back as it was,
// edited around or not.
func TestSparseUnknown(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	long := strings.Repeat("x", 70_000)
	for i := range 3000 {
		v2 := randomS2(r)
		b := mustMarshal(t, v2)
		var v1 carriers.S1
		mustUnmarshal(t, b, &v1)
		if again := mustMarshal(t, &v1); !bytes.Equal(b, again) {
			t.Fatalf("written again:\n%x\n%x", b, again)
		}
		for _, name := range []string{long, "", "short"} {
			if v1.Name, v2.Name = name, name; i%7 > 0 && len(name) > 100 {
				continue
			}
			v1.ID, v2.ID = v1.ID+1, v2.ID+1
			if len(v2.Kids) > 0 {
				v1.Kids[0].Name, v2.Kids[0].Name = name, name
			}
			if got, want := mustMarshal(t, &v1), mustMarshal(t, v2); !bytes.Equal(got, want) {
				t.Fatalf("edited: %d bytes, want %d", len(got), len(want))
			}
			mustUnmarshal(t, mustMarshal(t, &v1), &v1)
		}
		var drop carriers.SDrop
		mustUnmarshal(t, b, &drop)
		var want carriers.S2
		mustUnmarshal(t, b, &want)
		if drop.ID != want.ID || drop.Name != want.Name {
			t.Fatalf("%+v, want %+v", drop, want)
		}
		mustUnmarshal(t, mustMarshal(t, &drop), &v1)
		if v1.ID != want.ID || v1.Name != want.Name || len(v1.Kids) > 0 {
			t.Fatalf("%+v, want %+v", v1, want)
		}
	}
}

func TestSparseExact(t *testing.T) {
	o := zmy.UnmarshalOptions{Exact: true}
	if err := o.Unmarshal(mustMarshal(t, &carriers.S2{ID: 1}), new(carriers.S1)); err != nil {
		t.Error(err)
	}
	if err := o.Unmarshal(mustMarshal(t, &carriers.S2{A: 1}), new(carriers.S1)); !errors.Is(err, zmy.ErrVersion) {
		t.Error(err)
	}
}

func sparseAgree(t *testing.T, b []byte) bool {
	t.Helper()
	o := zmy.UnmarshalOptions{MaxWire: 1 << 24, Budget: 1 << 40}
	var v1 carriers.S1
	err := o.Unmarshal(b, &v1)
	_, verr := carriers.ViewS1Options(b, o)
	sameVerdict(t, b, err, verr)
	_, verr = carriers.ViewS2Options(b, o)
	sameVerdict(t, b, o.Unmarshal(b, new(carriers.S2)), verr)
	_, verr = carriers.ViewSDropOptions(b, o)
	sameVerdict(t, b, o.Unmarshal(b, new(carriers.SDrop)), verr)
	if err == nil {
		if again := mustMarshal(t, &v1); !bytes.Equal(again, b) {
			t.Fatalf("accepted, but written otherwise:\n%x\n%x", b, again)
		}
	}
	return err == nil
}

func TestSparseHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	accepted := 0
	for range 600 {
		b := mustMarshal(t, randomS2(r))
		for n := range min(len(b), 60) {
			if sparseAgree(t, b[:n:n]) {
				t.Fatalf("accepted the first %d of %d bytes", n, len(b))
			}
		}
		for range 10 {
			if sparseAgree(t, damaged(r, b)) {
				accepted++
			}
		}
	}
	if accepted < 20 {
		t.Errorf("only %d were accepted", accepted)
	}
}

func FuzzSparse(f *testing.F) {
	r := rand.New(rand.NewPCG(55, 56))
	for range 30 {
		b, err := wideOpen.Marshal(randomS2(r))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { sparseAgree(t, b) })
}
