package fxjson_test

import (
	"math/rand/v2"
	"testing"
)

// FuzzDocument decodes one document after the other into one value of a kind,
// and marshals what came out.
func FuzzDocument(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for i, kind := range kinds {
		for range 3 {
			f.Add(uint8(i), document(r, kind), mutate(r, document(r, kind)))
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, doc, doc2 []byte) {
		kind := kinds[int(i)%len(kinds)]
		checkMarshal(t, checkUnmarshal(t, kind, doc, doc2))
	})
}
