package sse

import (
	"sync/atomic"
	"time"
)

// Metrics are functions that a hub calls for what happens in it. Nil functions are not called. Many
// goroutines may call them at once. They must not block. They do not get the topic, since the
// number of topics is not limited.
type Metrics struct {
	// Publish: a message with this many bytes of data was handed to the broker, which took this
	// long.
	Publish func(bytes int, took time.Duration, err error)
	// Connect: a connection was accepted.
	Connect func()
	// Refuse: a request was refused for this reason.
	Refuse func(why Reason)
	// Disconnect: a connection ended for this reason after it was open for this long.
	Disconnect func(why Reason, open time.Duration)
	// Write: this many events and bytes were written and flushed to one connection. lag is the time
	// since the first of the events was published, by the publisher's clock; 0 if there were no
	// events.
	Write func(events, bytes int, lag time.Duration)
	// Drop: a slow connection lost this many events.
	Drop func(events int)
	// Replay: this many events were sent again. broker says whether they were read from the broker
	// or taken from the hub's recent events.
	Replay func(events int, broker bool)
	// Reset: a connection was sent a reset event for this reason.
	Reset func(why ResetReason)
}

// Reason says why a connection ended or a request was refused.
type Reason string

// Reasons for the end of a connection, and then reasons for the refusal of a request.
const (
	ReasonClient   Reason = "client"   // the client has gone
	ReasonSlow     Reason = "slow"     // the client could not keep up, see SlowPolicy
	ReasonWrite    Reason = "write"    // a write took longer than WithWriteTimeout allows
	ReasonShutdown Reason = "shutdown" // the hub is being closed
	ReasonBroker   Reason = "broker"   // the broker is closed, or history could not be read
	ReasonPanic    Reason = "panic"    // a function of Metrics, the broker or the response panicked

	ReasonBusy        Reason = "busy"        // WithMaxConnections is reached
	ReasonForbidden   Reason = "forbidden"   // not authorised
	ReasonBadRequest  Reason = "bad request" // no topic, too many, or an invalid name
	ReasonUnsupported Reason = "unsupported" // the response cannot be flushed or has no deadlines
)

// Stats counts what a hub has done.
type Stats struct {
	Connections int    // open now
	Published   uint64 // messages that this hub published
	Events      uint64 // records seen in the log
	Encoded     uint64 // frames made of these records
	Delivered   uint64 // events written to connections
	Bytes       uint64 // written to connections
	Replayed    uint64 // events that were sent again; Delivered includes them
	Dropped     uint64 // events that slow connections lost
	Resets      uint64 // reset events
	Refused     uint64 // requests
	Slow        uint64 // connections that ended with ReasonSlow or ReasonWrite
	Invalid     uint64 // records in the log that are not valid events
}

// counters holds Stats while the hub runs. Counts that change with each write are kept by the
// shards.
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
