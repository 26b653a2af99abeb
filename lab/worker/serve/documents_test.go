package serve

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

type account struct {
	UserID string `json:"userId"`
	Amount float64
}

// exactly reads accounts by names that are spelled as in the type, as encoding/json does not.
func exactly(b []byte, v any) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	if _, old := m["legacy"]; old {
		return errors.New("no such member")
	}
	a := v.(*account)
	for name, to := range map[string]any{"userId": &a.UserID, "Amount": &a.Amount} {
		if m[name] == nil {
			continue
		}
		if err := json.Unmarshal(m[name], to); err != nil {
			return err
		}
	}
	return nil
}

// TestDocumentsOfOthers: a library that reads what it writes, and not what was captured, does
// not do what encoding/json does.
func TestDocumentsOfOthers(t *testing.T) {
	for _, c := range []struct{ name, docs, want string }{
		{"as the type has it", `{"userId":"a","Amount":1}`, ""},
		{"names in another case", `{"userId":"a","Amount":1}` + "\n" + `{"userid":"b","amount":2}`, `d.ndjson:2 UserID "b" → ""`},
		{"refused", `{"userId":"a","Amount":1,"legacy":true}`, "d.ndjson:1 read by encoding/json → no such member"},
	} {
		file := filepath.Join(t.TempDir(), "d.ndjson")
		if err := os.WriteFile(file, []byte(c.docs), 0o666); err != nil {
			t.Fatal(err)
		}
		b := newBinding(worker.Subject[account]{Name: "worker.account"},
			worker.Contender[account]{Name: "exact", Family: "json", Encoders: []worker.Encoder[account]{worker.Marshal[account]("fresh", json.Marshal)},
				Decoders: worker.Unmarshal[account](exactly)}, nil)
		if _, err := b.values(&worker.Request{Seed: 1, N: 8, Sample: file}); err != nil {
			t.Fatal(err)
		}
		f, err := b.fidelity()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range f.Contract.Diffs {
			got = append(got, d.Path+" "+d.Before+" → "+d.After)
		}
		if text := strings.Join(got, "\n"); !strings.Contains(text, c.want) || (c.want == "") != (f.Contract.Grade == "KEPT") {
			t.Errorf("%s: contract %s: %s", c.name, f.Contract.Grade, text)
		}
	}
}
