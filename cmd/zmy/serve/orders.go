package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	mrand "math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/nano"
)

const (
	firstOrders = 20
	mostOrders  = 1000 // limit of orders that are kept
)

// orders is a list of orders in memory, oldest first.
type orders struct {
	mu   sync.RWMutex
	list []*order.Order // orders are never changed after they are added
	byID map[string]*order.Order
}

func newOrders() *orders { return &orders{byID: map[string]*order.Order{}} }

// Reasons why add refuses an order.
var (
	errExists = errors.New("it exists already")
	errFull   = fmt.Errorf("this demo keeps %d orders", mostOrders)
)

// add appends an order. It returns errExists or errFull if it refuses the order.
func (o *orders) add(v *order.Order) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.byID[v.ID] != nil:
		return errExists
	case len(o.list) == mostOrders:
		return errFull
	}
	o.list, o.byID[v.ID] = append(o.list, v), v
	return nil
}

func (o *orders) get(id string) *order.Order {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.byID[id]
}

// snapshot returns the present orders. The slice is not changed later.
func (o *orders) snapshot() []*order.Order {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.list[:len(o.list):len(o.list)]
}

// version returns the version of the list of orders. A position in a stream is valid as long as the
// version stays the same. It is constant, since orders are only appended.
func (o *orders) version(context.Context, *http.Request) (string, error) { return "1", nil }

// resumeKey returns a random key that signs positions in streams. It is valid for this process
// only, which is enough since only this process serves them.
func resumeKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	return key
}

// byID is a request for one thing by its ID.
type byID struct{ id string }

// Bind reads the ID from the path.
func (b *byID) Bind(r *http.Request) error {
	b.id = r.PathValue("id")
	return nil
}

func (s *Service) getOrder(_ context.Context, in byID) (*order.Order, error) {
	v := s.orders.get(in.id)
	if v == nil {
		return nil, nano.Problemf(http.StatusNotFound, "there is no order %q; GET /orders lists them", in.id)
	}
	return v, nil
}

func (s *Service) createOrder(ctx context.Context, in order.Order) (*order.Order, error) {
	if len(in.Items) == 0 {
		return nil, nano.Problemf(http.StatusUnprocessableEntity, "an order needs items")
	}
	if in.ID == "" {
		in.ID = "ord_" + rand.Text()[:16]
	}
	if in.Timestamp.IsZero() {
		in.Timestamp = time.Now().UTC()
	}
	switch err := s.orders.add(&in); err {
	case nil:
	case errFull:
		return nil, nano.Problemf(http.StatusInsufficientStorage, "order %q: %v", in.ID, err)
	default:
		return nil, nano.Problemf(http.StatusConflict, "order %q: %v", in.ID, err)
	}
	// The order is added even if the client disconnects, so it must be announced in that case too.
	if err := s.announce(context.WithoutCancel(ctx), &in); err != nil {
		return nil, fmt.Errorf("announce order %s: %w", in.ID, err)
	}
	x := nano.FromContext(ctx)
	x.SetStatus(http.StatusCreated)
	x.Header().Set("Location", "/orders/"+url.PathEscape(in.ID))
	return &in, nil
}

// listOrders streams the present orders. A client that resumes gets the orders after its position.
func (s *Service) listOrders(ctx context.Context, _ nano.Empty) iter.Seq2[*order.Order, error] {
	all := s.orders.snapshot()
	return func(yield func(*order.Order, error) bool) {
		for _, v := range all[min(nano.ResumeAt(ctx), uint64(len(all))):] {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// fill creates the first orders and sessions.
func (s *Service) fill() {
	r := mrand.New(mrand.NewPCG(s.o.Seed, 0))
	for range firstOrders {
		v := order.SampleOrder(r)
		_ = s.orders.add(&v) // an order whose ID exists already is left out
	}
	s.session.fill(r)
}

// produce adds an order from time to time, so that the page has something to show.
func (s *Service) produce(ctx context.Context) {
	if s.o.Every <= 0 {
		return
	}
	r := mrand.New(mrand.NewPCG(s.o.Seed, 1))
	tick := time.NewTicker(s.o.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			v := order.SampleOrder(r)
			v.Timestamp = at.UTC()
			if s.orders.add(&v) == errExists {
				continue
			}
			if err := s.announce(ctx, &v); err != nil && ctx.Err() == nil { // an order that is not kept is announced too
				s.log.Warn("announce an order", "order", v.ID, "error", err)
			}
		}
	}
}
