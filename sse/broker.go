package sse

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Message is what is published: an event before it has an ID.
type Message struct {
	// Type is the event's type; "" is "message".
	Type string
	// Key names what the message is the newest state of; only [ConflateByKey] looks at it.
	Key string
	// Data is the payload. It is never written to once it has been published: not by the
	// publisher either.
	Data []byte
	// Binary says that Data is not text; connections are sent it as base64.
	Binary bool
}

// Record is a message in the log.
type Record struct {
	ID    ID
	Topic string
	// Time is when the message was published, by the publisher's clock.
	Time time.Time
	Message
}

// Broker is a log of records that several processes may share. Its methods may be called by many
// goroutines at once. Package ssetest checks what is promised here.
//
// Topics come into being when they are first used. Old records are trimmed as the broker was told
// when it was made; whatever is read tells of it by an error, never by leaving records out.
type Broker interface {
	// Append adds m to the log and returns its place once it is kept as
	// safely as this broker keeps anything. The broker retains m.Data. After an error the message
	// may or may not have been added. Callers check topic and message before ([CheckTopic]).
	Append(ctx context.Context, topic string, m Message) (ID, error)

	// Last returns the place of the newest record of the log, whose Seq is 0 while there was none.
	Last(ctx context.Context) (ID, error)

	// Read appends to dst the records of the given topics behind after, in order of Seq, at
	// most limit of them, and returns the longer slice. Fewer than limit
	// say that there were no more. It sees all that any call of Append or Tail.Next of this
	// process had returned before it was called. It does not wait for records.
	//
	// Errors, found by errors.Is: ErrEpoch if after is of another epoch; ErrFuture if it lies
	// behind the newest record; ErrTrimmed if a record of these topics behind it has been trimmed,
	// or may have been; ErrClosed; the context's. dst is then returned as it was.
	Read(ctx context.Context, dst []Record, topics []string, after ID, limit int) ([]Record, error)

	// Tail follows the log of all topics behind after, or from its end on if after is the
	// zero ID. A process needs one, which its Hub opens, however many connections it
	// has. Errors are those of Read.
	Tail(ctx context.Context, after ID) (Tail, error)

	// Close frees what the broker holds in this process. A call that waits in it, in a Tail or in
	// any other call, returns ErrClosed, as do all later calls but Close, which returns nil.
	Close() error
}

// Tail is a live subscription of one goroutine.
type Tail interface {
	// After is the place behind which the tail began.
	After() ID

	// Next waits until there is a record behind those it returned before, appends one
	// or more to dst, in order of Seq, none left out and none twice, and returns the
	// longer slice. It returns when ctx ends, with the context's error; the tail then still stands
	// where it was.
	//
	// With ErrTrimmed or ErrEpoch the tail has ended: records were trimmed before it
	// could return them, or the log was replaced by one of another epoch. With ErrClosed
	// the broker or the tail was closed. After any other error the caller may
	// try again.
	Next(ctx context.Context, dst []Record) ([]Record, error)

	// Close ends the tail. Next returns ErrClosed then.
	Close() error
}

// What a Broker fails with.
var (
	ErrClosed  = errors.New("closed")
	ErrEpoch   = errors.New("another epoch: the log was replaced")
	ErrFuture  = errors.New("behind the newest record")
	ErrTrimmed = errors.New("history trimmed")
)

// MaxTopic is the longest name of a topic in bytes.
const MaxTopic = 200

// CheckTopic returns an error unless topic can be the name of one: 1 to [MaxTopic] bytes of
// UTF-8 without control characters. Brokers escape what their servers do not take.
func CheckTopic(topic string) error {
	switch {
	case topic == "":
		return errors.New("sse: topic: empty name")
	case len(topic) > MaxTopic:
		return fmt.Errorf("sse: topic %.32q…: a name of %d bytes, of at most %d", topic, len(topic), MaxTopic)
	case !utf8.ValidString(topic):
		return fmt.Errorf("sse: topic %q: not UTF-8", topic)
	}
	for i, c := range topic {
		if c < ' ' || 0x7F <= c && c < 0xA0 {
			return fmt.Errorf("sse: topic %q: control character %U at byte %d", topic, c, i)
		}
	}
	return nil
}
