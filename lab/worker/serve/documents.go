package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// documents compares a JSON library with encoding/json on the captured documents themselves. Other
// programs wrote them, so they may contain names in another case, repeated members, or null in any
// place. No library writes these, and each reads them in its own way.
func (b *binding[T, N]) documents(contract *fidelity.Summary) {
	name, d := b.keeper.made.Sample, &b.Codec.Decoders[0]
	if b.Codec.Family != "json" || name == "" || d.Input != nil || reflect.TypeFor[T]() != reflect.TypeFor[N]() {
		return
	}
	if _, fit, err := values.ReadFit(name); fit || err != nil {
		return
	}
	docs, _, err := values.ReadDocuments(name, values.ReadsArrays(reflect.TypeFor[T]()))
	if err != nil {
		return // making the values from the file has reported this already
	}
	dec := d.New()
	for _, doc := range docs[:min(len(docs), len(b.Vals))] {
		contract.Add(readAlike(dec, doc))
	}
}

// readAlike returns the differences between what dec and encoding/json read from a document.
func readAlike[N any](dec func([]byte, *N) error, doc values.Document) []fidelity.Diff {
	var want, got N
	if json.Unmarshal(doc.Text, &want) != nil {
		return nil
	}
	where := fmt.Sprintf("%s:%d", doc.File, doc.Line)
	if err := bench.Try(func() error { return dec(bytes.Clone(doc.Text), &got) }); err != nil {
		return []fidelity.Diff{{Path: where, Pattern: "document", Before: "read by encoding/json", After: err.Error(),
			Kind: fidelity.Lossy, Cause: "refused"}}
	}
	diffs := lossy(fidelity.Compare(want, got, fidelity.Options{}))
	for i := range diffs {
		diffs[i].Path = where + " " + diffs[i].Path
	}
	return diffs
}
