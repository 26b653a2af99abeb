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

func TestSuite(t *testing.T) {
	for name, doc := range Suite {
		if valid := json.Valid([]byte(doc)); name[0] == 'y' && !valid || name[0] == 'n' && valid {
			t.Errorf("%s: encoding/json says %v of %.40q", name, valid, doc)
		}
	}
	if n := len(Suite); n < 318 {
		t.Errorf("%d cases, the suite has 318", n)
	}
}
