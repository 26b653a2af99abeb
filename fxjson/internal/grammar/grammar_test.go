package grammar

import (
	"encoding/json"
	"testing"
)

func TestSides(t *testing.T) {
	for _, doc := range Valid {
		if !json.Valid([]byte(doc)) {
			t.Errorf("encoding/json refuses %q", doc)
		}
	}
	for _, doc := range Invalid {
		if json.Valid([]byte(doc)) {
			t.Errorf("encoding/json accepts %q", doc)
		}
	}
	seen := map[string]bool{}
	for _, doc := range All() {
		if seen[doc] {
			t.Errorf("%q stands twice", doc)
		}
		seen[doc] = true
	}
}
