package serve

import (
	"context"
	"encoding/gob"
	"math/big"
	"net/http"
	"time"

	"github.com/zmylab/zmy/adapters/cborx"
	"github.com/zmylab/zmy/adapters/msgpackx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/nano"
)

// register builds the registry. JSON is served by encoding/json until the canary switches to
// fxjson. For one answer in ten that encoding/json writes, a shadow tries ZMY as well.
func (s *Service) register() error {
	s.shadow = shadow.New(codec.StdJSON{}, codec.ZMY{}, shadow.Options{Share: 0.1})
	for _, v := range []any{map[string]any{}, []any{}, time.Time{}, new(big.Int), new(big.Float)} {
		gob.Register(v) // types of values in interfaces of orders and sessions
	}
	var err error
	s.canary, err = canary.New(s.shadow, codec.FXJSON{}, canary.Options{
		Name: "json", Hold: 20 * time.Second, Window: 20 * time.Second, Logger: s.log,
		Limits: canary.Limits{MinSamples: 100},
	})
	if err != nil {
		return err
	}
	s.codecs = codec.NewRegistry(s.canary.Routed(), codec.ZMY{}, codec.Gob{}, msgpackx.Codec{Tag: "json"}, cborx.Codec{})
	return nil
}

// choose chooses the arm of the canary for each request: by the canary's header, else by the value
// of X-Client, so that a client keeps its arm, else at random.
func (s *Service) choose(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("X-Client")
		ctx := s.canary.WithRequest(r.Context(), r.Header.Get(s.canary.Header()), key)
		if arm, ok := s.canary.FromContext(ctx); ok {
			w.Header().Set("X-Arm", arm.String())
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Codec describes one codec to a client.
type Codec struct {
	Name   string   `json:"name" zmy:"0"`
	Types  []string `json:"media_types" zmy:"1"`
	Stream string   `json:"stream" zmy:"2"`
}

func (s *Service) listCodecs(context.Context, nano.Empty) ([]Codec, error) {
	var out []Codec
	for _, name := range s.codecs.Names() {
		c, err := s.codecs.Lookup(name)
		if err != nil {
			continue // it was removed in the meantime
		}
		m, ok := codec.As[codec.MediaTyped](c)
		if !ok {
			continue
		}
		out = append(out, Codec{Name: name, Types: m.MediaTypes(), Stream: nano.StreamType(c)})
	}
	return out, nil
}
