package serve

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// TestAftermath: a codec that keeps something of what it refused is found, whether a value or a
// message was refused. One that only refuses is not blamed.
func TestAftermath(t *testing.T) {
	type item struct {
		ID    string
		Price float64
	}
	dirty := false
	spoil := func(v *item) *item {
		if dirty {
			dirty = false
			return &item{"stale", v.Price}
		}
		return v
	}
	refuse := func(v any) ([]byte, error) {
		if math.IsNaN(v.(*item).Price) {
			return nil, errors.New("no number")
		}
		return json.Marshal(v)
	}
	encoder := stdJSON[item]()
	encoder.Encoders = []worker.Encoder[item]{worker.Marshal[item]("fresh", func(v any) ([]byte, error) {
		out, err := refuse(spoil(v.(*item)))
		dirty = dirty || err != nil
		return out, err
	})}
	decoder := stdJSON[item]()
	decoder.Decoders = worker.Unmarshal[item](func(b []byte, v any) error {
		err := json.Unmarshal(b, v)
		*v.(*item) = *spoil(v.(*item))
		dirty = err != nil
		return err
	})
	for _, c := range []struct {
		name            string
		codec           worker.Contender[item]
		refused, damage string
	}{
		{"honest", stdJSON[item](), "", ""},
		{"encoder", encoder, "once float64 NaN at Price was refused, value 0 comes back as another one: ID", ""},
		{"decoder", decoder, "", "after a damaged message value 0 comes back as another one: ID"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dirty = false
			if f := graded(t, c.codec, nil); !strings.HasPrefix(f.Spoilt, c.refused) || (f.Spoilt == "") != (c.refused == "") {
				t.Errorf("after a value that was refused: %q", f.Spoilt)
			}
			b := newBinding(worker.Subject[item]{Name: "worker.T"}, c.codec, nil)
			if _, err := b.values(&worker.Request{Seed: 3, N: 32}); err != nil {
				t.Fatal(err)
			}
			checks, err := b.damaged()
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, k := range checks {
				if k.Name == worker.CheckAfter {
					found = k.Detail
				}
			}
			if !strings.HasPrefix(found, c.damage) || (found == "") != (c.damage == "") {
				t.Errorf("after damage: %q", found)
			}
		})
	}
}
