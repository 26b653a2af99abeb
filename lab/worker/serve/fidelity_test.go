package serve

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
			worker.Contender[account]{Name: "exact", Family: "json",
				Encoders: []worker.Encoder[account]{worker.Marshal[account]("fresh", json.Marshal)},
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

type login struct {
	ID       string
	Password string `json:"-"`
	Dash     string `json:"-,"`
	Boxes    []inbox
	By       map[string]*inbox
	Kept     selfish
}

type inbox struct {
	Key  string `json:"-"`
	Name string
}

// selfish writes its field itself, so JSON has it.
type selfish struct {
	N int `json:"-"`
}

func (k selfish) MarshalJSON() ([]byte, error)  { return json.Marshal(k.N) }
func (k *selfish) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &k.N) }

func gobCodec[T any]() worker.Contender[T] {
	return worker.Contender[T]{Name: "gob", Family: "binary",
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
			return func(_ []byte, v *T) ([]byte, error) {
				var out bytes.Buffer
				err := gob.NewEncoder(&out).Encode(v)
				return out.Bytes(), err
			}
		}}},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: func() func([]byte, *T) error {
			return func(in []byte, v *T) error { return gob.NewDecoder(bytes.NewReader(in)).Decode(v) }
		}}},
	}
}

// Fields that json:"-" keeps out of JSON and that a codec brings back are named; of JSON itself
// there are none, nor where no value has one set.
func TestDashed(t *testing.T) {
	full := func(r *rand.Rand) login {
		return login{"a", "hunter2", "d", []inbox{{"", "n"}}, map[string]*inbox{"x": {"key", "n"}}, selfish{7}}
	}
	bare := func(r *rand.Rand) login { return login{ID: "a", Dash: "d", Boxes: []inbox{{"", "n"}}} }
	const in = "github.com/zmylab/zmy/lab/worker/serve."
	for _, c := range []struct {
		name   string
		codec  worker.Contender[login]
		sample func(*rand.Rand) login
		want   []string
	}{
		{"gob", gobCodec[login](), full, []string{in + "inbox.Key", in + "login.Password"}},
		{"gob of bare values", gobCodec[login](), bare, nil},
		{"json", stdJSON[login](), full, nil},
	} {
		b := newBinding(worker.Subject[login]{Sample: c.sample, SampleName: "SampleAccount"}, c.codec, nil)
		if _, err := b.values(&worker.Request{Seed: 1, N: 4}); err != nil {
			t.Fatal(err)
		}
		f, err := b.fidelity()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.Dashed, c.want) {
			t.Errorf("%s: %q, want %q (%+v)", c.name, f.Dashed, c.want, f.Value)
		}
	}
}
