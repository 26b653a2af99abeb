package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/sse"
)

// eventCodecs are those in which orders are announced, on a topic each: a connection follows the
// topic of its codec, and each event is encoded once for all of them.
var eventCodecs = []codec.Codec{codec.FXJSON{}, codec.ZMY{}}

func topic(c codec.Codec) string { return "orders." + c.Name() }

// announce publishes an order.
func (s *Service) announce(ctx context.Context, v *order.Order) error {
	var errs []error
	for _, c := range eventCodecs {
		_, err := s.hub.PublishValue(ctx, topic(c), sse.Message{Type: "order", Key: v.ID}, c, v)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// events serves GET /events?codec=fxjson.
func (s *Service) events() http.Handler {
	names := make([]string, len(eventCodecs))
	for i, c := range eventCodecs {
		names[i] = c.Name()
	}
	return s.hub.Handler(func(r *http.Request) ([]string, error) {
		name := r.URL.Query().Get("codec")
		if name == "" {
			name = names[0]
		}
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there are no events in codec %q, only in %q", name, names)
		}
		return []string{topic(eventCodecs[slices.Index(names, name)])}, nil
	})
}
