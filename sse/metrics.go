package sse

import (
	"sync/atomic"
	"time"
)

// Metrics are called by a hub as things happen, those that are not nil, from many goroutines at
// once. They must not wait. Topics are not told: their number has no bound.
type Metrics struct {
	// Publish: a message of so many bytes was handed to the broker, which took that long.
	Publish func(bytes int, took time.Duration, err error)
	// Connect: a connection was admitted.
	Connect func()
	// Refuse: a request was not, for that reason.
	Refuse func(why Reason)
	// Disconnect: a connection has ended that was open for so long.
	Disconnect func(why Reason, open time.Duration)
	// Write: so many events were written and flushed to one connection. lag is the time since
	// the first of them was published, by the publisher's clock; 0 if none was.
	Write func(events, bytes int, lag time.Duration)
	// Drop: a slow connection lost so many events.
	Drop func(events int)
	// Replay: so many events were sent again, from the hub's recent ones or from the broker.
	Replay func(events int, broker bool)
	// Reset: a connection was told to start anew.
	Reset func(why ResetReason)
}

// Reason is why a connection ended or a request was refused.
type Reason string

// Reasons why a connection has ended; the last are reasons of refusals.
const (
	ReasonClient   Reason = "client"   // the client has gone
	ReasonSlow     Reason = "slow"     // its queue was full
	ReasonWrite    Reason = "write"    // a write failed, or took longer than it may
	ReasonShutdown Reason = "shutdown" // the hub is being closed
	ReasonBroker   Reason = "broker"   // history could not be read
	ReasonPanic    Reason = "panic"    // a function of Metrics, the broker or the response has panicked

	ReasonBusy        Reason = "busy"        // as many connections as there may be
	ReasonForbidden   Reason = "forbidden"   // not authorised
	ReasonBadRequest  Reason = "bad request" // no topic that can be one
	ReasonUnsupported Reason = "unsupported" // the response cannot be flushed or has no deadlines
)

// Stats counts what a hub has done.
type Stats struct {
	Connections int    // open now
	Published   uint64 // messages, by this hub
	Events      uint64 // records seen in the log
	Encoded     uint64 // frames made of them
	Delivered   uint64 // events written to connections
	Bytes       uint64 // written to connections
	Replayed    uint64 // of the events delivered, those sent again
	Dropped     uint64 // events that slow connections lost
	Resets      uint64 // reset events
	Refused     uint64 // requests
	Slow        uint64 // connections that ended for being slow, or whose write failed
	Invalid     uint64 // records in the log that no event can be made of
}

// counters are Stats while they change. The shards count what each write changes.
type counters struct {
	conns                                             atomic.Int64
	published, events, encoded                        atomic.Uint64
	replayed, dropped, resets, refused, slow, invalid atomic.Uint64
}

// Stats returns the counts so far.
func (h *Hub) Stats() Stats {
	c := &h.count
	s := Stats{
		Connections: int(c.conns.Load()), Published: c.published.Load(), Events: c.events.Load(), Encoded: c.encoded.Load(),
		Replayed: c.replayed.Load(), Dropped: c.dropped.Load(), Resets: c.resets.Load(), Refused: c.refused.Load(),
		Slow: c.slow.Load(), Invalid: c.invalid.Load(),
	}
	for _, shard := range h.shards {
		s.Delivered += shard.delivered.Load()
		s.Bytes += shard.bytes.Load()
	}
	return s
}
