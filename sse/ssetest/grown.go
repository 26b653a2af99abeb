package ssetest

import (
	"errors"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/faultnet"
	"github.com/zmylab/zmy/sse"
)

// GrownOver makes a log lose its end while a tail is cut off. Then the log grows again, so that new
// records get the numbers of lost records which the tail has seen. The tail must end with
// ErrTrimmed. Otherwise it would go on without these new records. open returns a broker that
// reaches the server at an address. keep and lose are those of [Crash].
func GrownOver(t *testing.T, addr string, open func(t *testing.T, addr string) sse.Broker, keep, lose func()) {
	s := newSuite(t, Config{})
	proxy := s.proxy(addr)
	direct := open(t, addr)
	tail := s.tail(open(t, proxy.Addr()), sse.ID{})
	s.fill(direct, 10, "a")
	keep()
	s.fill(direct, 10, "a")
	last := s.take(tail, 20)[19].ID

	proxy.Set(faultnet.Faults{Stall: true})
	s.must(direct.Close())
	lose()
	direct = open(t, addr)
	if now, err := direct.Last(s.ctx()); err != nil || now != (sse.ID{Epoch: last.Epoch, Seq: last.Seq - 10}) {
		s.Fatalf("the log ends at %s, and ended at %s, %v", now, last, err)
	}
	s.fill(direct, 30, "a")
	proxy.Set(faultnet.Faults{})
	begin := time.Now()
	for {
		got, err := tail.Next(s.ctx(), nil)
		switch {
		case errors.Is(err, sse.ErrTrimmed):
			return
		case len(got) > 0, time.Since(begin) > 3*s.c.Patience:
			s.Fatalf("%d records, %v", len(got), err)
		}
	}
}
