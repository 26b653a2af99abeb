package serve

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

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
