package fxjson_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

var (
	mutants     = flag.Int("mutants", 20_000, "how many pairs of damaged documents TestMutants makes")
	mutantsSeed = flag.Uint64("mutants.seed", 1, "what they are drawn from")
)

// TestMutants holds on damaged documents what FuzzDocument holds: the same value, error
// and offset as encoding/json, into fresh and used targets, and by turns the same output.
// Without the instrumentation of a fuzzer it tries many times as many in the same time;
// most documents are small, so that the damage decides what becomes of them.
func TestMutants(t *testing.T) {
	const each = 60
	r := rand.New(rand.NewPCG(*mutantsSeed, 3))
	docs := make([][][]byte, len(kinds))
	for i, kind := range kinds {
		for n := range each {
			doc := documentTo(r, kind, n%4)
			if n%3 > 0 {
				doc = someMembers(r, doc)
			}
			docs[i] = append(docs[i], doc)
		}
		slices.SortFunc(docs[i], func(a, b []byte) int { return len(a) - len(b) })
	}
	procs := runtime.GOMAXPROCS(0)
	for p := range procs {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*mutantsSeed, uint64(p)))
			pick := func(docs [][]byte) []byte { return docs[r.IntN(1+r.IntN(1+r.IntN(each)))] }
			for n := range (*mutants + procs - 1) / procs {
				i := r.IntN(len(kinds))
				from := i
				if r.IntN(16) == 0 {
					from = r.IntN(len(kinds)) // another type's document
				}
				doc, doc2 := mutate(r, pick(docs[from])), pick(docs[i])
				if r.IntN(2) == 0 {
					doc2 = mutate(r, doc2)
				}
				v := checkUnmarshal(t, kinds[i], doc, doc2)
				if n%8 == 0 && !holdsHuge(reflect.ValueOf(v)) {
					checkMarshal(t, v)
				}
			}
		})
	}
}

// holdsHuge finds a big.Float whose digits package big takes minutes to write, as a
// damaged exponent makes them.
func holdsHuge(v reflect.Value) bool {
	if f, ok := v.Interface().(big.Float); ok {
		return f.MantExp(nil) > 1<<16 || f.MantExp(nil) < -1<<16
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && holdsHuge(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && holdsHuge(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if holdsHuge(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if holdsHuge(it.Value()) {
				return true
			}
		}
	}
	return false
}

// someMembers keeps up to four members of the object doc.
func someMembers(r *rand.Rand, doc []byte) []byte {
	v, err := fxjson.Parse(doc)
	if err != nil || v.Kind() != fxjson.Object {
		return doc
	}
	var members [][]byte
	for k, x := range v.Members() {
		members = append(members, append(append(slices.Clone(k.Raw()), ':'), x.Raw()...))
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	some := members[:min(len(members), 1+r.IntN(4))]
	return append(append([]byte("{"), bytes.Join(some, []byte(","))...), '}')
}
