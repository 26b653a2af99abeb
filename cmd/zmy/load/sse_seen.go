package load

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/sse"
)

// seen is the events of a point by their IDs. The first connection that is sent one decodes it for all: what each
// of thousands of programs would do is not to be done by one of them.
type seen struct {
	seed  maphash.Seed
	mu    sync.RWMutex
	facts map[string]fact
	took  Histogram
}

// fact is what is known of an event.
type fact struct {
	hash   uint64 // of its data
	number int
	due    int64 // ns since 1970
	good   bool
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), facts: map[string]fact{}} }

// look returns what is known of an event, which is not good unless its data is what others got under its ID.
func (s *seen) look(e sse.Event) fact {
	hash := maphash.Bytes(s.seed, e.Data)
	s.mu.RLock()
	f, known := s.facts[e.ID]
	s.mu.RUnlock()
	if !known {
		f = s.decode(e, hash)
	}
	f.good = f.good && f.hash == hash
	return f
}

func (s *seen) decode(e sse.Event, hash uint64) fact {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, known := s.facts[e.ID]; known {
		return f
	}
	begin := time.Now()
	due, n, err := feed.Read(e)
	s.took.Record(int64(time.Since(begin)))
	f := fact{hash: hash, number: n, due: due, good: err == nil && e.ID != ""}
	s.facts[e.ID] = f
	return f
}

func (s *seen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.facts)
	s.took = Histogram{}
}

// decoding is how long decoding took.
func (s *seen) decoding() *Histogram {
	s.mu.RLock()
	defer s.mu.RUnlock()
	h := new(Histogram)
	h.Add(&s.took)
	return h
}
