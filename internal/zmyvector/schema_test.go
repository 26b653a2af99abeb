package zmyvector

import (
	"testing"

	"github.com/zmylab/zmy"
)

// Each type of schemas.txt is what the Go type of that name is.
func TestSchemas(t *testing.T) {
	told := 0
	for _, r := range Readers() {
		f, ok := r.New().(zmy.Fingerprinter)
		if !ok {
			continue
		}
		told++
		if got := f.ZMYFingerprint(); got != r.Type.Fingerprint() {
			t.Errorf("%s: fingerprint %016x, want %016x of %s", r.Name, got, r.Type.Fingerprint(), r.Type.Text())
		}
	}
	if told == 0 {
		t.Skip("generated code does not tell fingerprints")
	}
}
