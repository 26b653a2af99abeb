package serve

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/nano"
	"github.com/zmylab/zmy/sse"
)

// eventCodecs are the codecs in which orders are announced. Each has a topic, and a connection
// follows the topic of its codec. So each event is encoded only once per codec.
var eventCodecs = []codec.Codec{codec.FXJSON{}, codec.ZMY{}}

func topic(c codec.Codec) string { return "orders." + c.Name() }

// announce publishes an order in all event codecs.
func (s *Service) announce(ctx context.Context, v *order.Order) error {
	var errs []error
	for _, c := range eventCodecs {
		_, err := s.hub.PublishValue(ctx, topic(c), sse.Message{Type: "order", Key: v.ID}, c, v)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// events serves GET /events?codec=fxjson. "json" is another name for fxjson, since clients know it.
func (s *Service) events() http.Handler {
	topics := map[string]string{"": topic(eventCodecs[0]), "json": topic(codec.FXJSON{})}
	for _, c := range eventCodecs {
		topics[c.Name()] = topic(c)
	}
	names := slices.Sorted(maps.Keys(topics))[1:] // without ""
	events := s.hub.Handler(func(r *http.Request) ([]string, error) {
		return []string{topics[r.URL.Query().Get("codec")]}, nil
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := r.URL.Query().Get("codec"); topics[name] == "" {
			s.api.Fail(w, r, nano.Problemf(http.StatusBadRequest, "there are no events in codec %.40q, only in %q", name, names))
			return
		}
		events.ServeHTTP(w, r)
	})
}
