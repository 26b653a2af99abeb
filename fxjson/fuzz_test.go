package fxjson_test

import (
	"encoding/json"
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
		checkUnmarshal(t, kind, doc, doc2)
		v := kind()
		_ = json.Unmarshal(doc, v) // whatever of it fits
		checkMarshal(t, v)
	})
}
