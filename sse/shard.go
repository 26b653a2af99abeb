package sse

import (
	"sync"
	"sync/atomic"
	"time"
)

// shard has a share of the hub's connections. One goroutine passes frames on to
// their queues and keeps them in use; it never waits for a connection.
type shard struct {
	hub   *Hub
	inbox chan []*frame

	delivered, bytes atomic.Uint64 // see Stats

	mu     sync.Mutex
	last   ID // of the newest frame passed on
	gen    uint64
	topics map[string]*audience
	conns  []*conn
}

// audience is those who are live on a topic.
type audience struct {
	topic string
	conns []*conn
}

// seat is a connection's place in an audience.
type seat struct {
	in *audience
	i  int
}

func (s *shard) run() {
	defer s.hub.running.Done()
	var tick <-chan time.Time
	if idle := s.hub.opts.heartbeat; idle > 0 {
		t := time.NewTicker(max(idle/3, time.Millisecond))
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case frames, open := <-s.inbox:
			if !open {
				return
			}
			s.pass(frames)
		case <-tick:
			s.beat()
		}
	}
}

// pass puts frames into the queues of those who follow their topics.
func (s *shard) pass(frames []*frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped := 0
	for _, f := range frames {
		audience := s.conns
		if f.kind == eventFrame {
			audience = nil
			if a := s.topics[f.topic]; a != nil {
				audience = a.conns
			}
		}
		for _, c := range audience {
			if !c.wants(f) {
				continue
			}
			if f.kind == resetFrame {
				c.gen, c.skip = f.gen, f.id
			}
			dropped += c.queue.push(f)
		}
		s.last, s.gen = f.id, f.gen
	}
	if dropped > 0 {
		s.hub.drop(dropped)
	}
}

// beat sends something to the live connections that were not written to for the
// time of a heartbeat; they are looked at three times within it.
func (s *shard) beat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f *frame
	now := s.hub.clock()
	for _, c := range s.conns {
		if !c.live || now-c.lastWrite.Load() < int64(s.hub.opts.heartbeat) {
			continue
		}
		if f == nil {
			f = newBeat(s.last)
			f.gen = s.gen
		}
		if c.wants(f) {
			c.queue.push(f)
		} else {
			c.queue.push(comment)
		}
	}
}

var comment = &frame{kind: beatFrame, bytes: AppendComment(nil, "")}

// enter lets the shard know c, which is not live yet.
func (s *shard) enter(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.index = len(s.conns)
	s.conns = append(s.conns, c)
}

// leave makes the shard forget c.
func (s *shard) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute(c)
	last := s.conns[len(s.conns)-1]
	s.conns[c.index], last.index = last, c.index
	s.conns[len(s.conns)-1] = nil
	s.conns = s.conns[:len(s.conns)-1]
}

// tune makes c live behind skip, a place of generation gen: all that is passed on from now is put into its queue unless
// it is not behind skip. The caller holds the lock.
func (s *shard) tune(c *conn, skip ID, gen uint64) {
	c.live, c.skip, c.gen = true, skip, gen
	for i, topic := range c.topics {
		a := s.topics[topic]
		if a == nil {
			a = &audience{topic: topic}
			s.topics[topic] = a
		}
		c.seats[i] = seat{a, len(a.conns)}
		a.conns = append(a.conns, c)
	}
}

// mute is the opposite of tune.
func (s *shard) mute(c *conn) {
	if !c.live {
		return
	}
	c.live = false
	for i := range c.seats {
		s.vacate(c.seats[i])
	}
}

func (s *shard) vacate(free seat) {
	a := free.in
	end := len(a.conns) - 1
	moved := a.conns[end]
	a.conns[free.i], a.conns[end] = moved, nil
	a.conns = a.conns[:end]
	for i := range moved.seats {
		if moved.seats[i].in == a {
			moved.seats[i].i = free.i
		}
	}
	if end == 0 {
		delete(s.topics, a.topic)
	}
}
