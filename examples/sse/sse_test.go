package sse

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 300, sampletest.Exact, SampleSSEEvent)
}

func TestDataIsJSONAndMetaOptional(t *testing.T) {
	r := sampletest.Rand(3)
	absent := 0
	for range 300 {
		e := SampleSSEEvent(r)
		if !json.Valid([]byte(e.Data)) {
			t.Fatalf("data is not JSON: %s", e.Data)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if e.Meta == nil {
			absent++
		}
		if written := bytes.Contains(text, []byte(`"meta":`)); written != (e.Meta != nil) {
			t.Fatalf("meta %v is written: %v", e.Meta, written)
		}
	}
	if absent < 70 || absent > 130 {
		t.Errorf("%d of 300 events have no metadata, want about a third", absent)
	}
}
