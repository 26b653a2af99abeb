package sse

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Message is what is published: an event that has no ID yet.
type Message struct {
	// Type is the event's type; "" means "message".
	Type string
	// Key names the thing whose newest state the message holds. Only [ConflateByKey] uses it.
	Key string
	// Data is the payload. Nobody may write to it after publishing, not even the publisher.
	Data []byte
	// Binary says that Data is not text. Connections get it as base64.
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
// A topic exists from its first use on. A broker's options say which old records it trims. Read and
// Tail.Next return ErrTrimmed if records that they should return were trimmed; they never leave
// records out silently.
type Broker interface {
	// Append adds m to the log. It returns m's ID once m is stored as safely as this broker stores
	// anything. The broker retains m.Data. After an error the message may or may not have been
	// added. Callers must have checked topic and message before ([CheckTopic]).
	Append(ctx context.Context, topic string, m Message) (ID, error)

	// Last returns the ID of the newest record of the log. Its Seq is 0 if there was never a
	// record.
	Last(ctx context.Context) (ID, error)

	// Read appends to dst the records of the given topics whose ID is greater than after, in order
	// of Seq, at most limit of them. It returns the longer slice. Fewer than limit records mean
	// that there were no more. Read sees every record that a call of Append or Tail.Next in this
	// process returned before Read was called. It does not wait for records.
	//
	// Errors, found by errors.Is: ErrEpoch if after belongs to another epoch; ErrFuture if after is
	// greater than the newest record's ID; ErrTrimmed if a record of these topics with an ID
	// greater than after was, or may have been, trimmed; ErrClosed; the context's error. With an
	// error, dst is returned unchanged.
	Read(ctx context.Context, dst []Record, topics []string, after ID, limit int) ([]Record, error)

	// Tail returns a tail of the records of all topics whose ID is greater than after. If after is
	// the zero ID, the tail begins at the log's end. A process needs only one tail, however many
	// connections it has: its Hub opens it. Errors are those of Read.
	Tail(ctx context.Context, after ID) (Tail, error)

	// Close frees what the broker holds in this process. Calls that are waiting in the broker or in
	// its Tails return ErrClosed. So do all later calls except Close, which returns nil.
	Close() error
}

// Tail is a live subscription. One goroutine uses it.
type Tail interface {
	// After returns the ID after which the tail began. The tail's first record has a greater ID.
	After() ID

	// Next waits until there are records that it has not returned yet. It appends at least one of
	// them to dst, in order of Seq, without gaps or repetitions, and returns the longer slice. If
	// ctx ends, Next returns the context's error, and the next call continues at the same place.
	//
	// After ErrTrimmed or ErrEpoch the tail has ended: records were trimmed before Next could
	// return them, or the log was replaced by one of another epoch. ErrClosed means that the broker
	// or the tail was closed. After any other error the caller may try again.
	Next(ctx context.Context, dst []Record) ([]Record, error)

	// Close ends the tail. Next then returns ErrClosed, and Close nil.
	Close() error
}

// The errors of a Broker.
var (
	ErrClosed  = errors.New("closed")
	ErrEpoch   = errors.New("another epoch: the log was replaced")
	ErrFuture  = errors.New("behind the newest record")
	ErrTrimmed = errors.New("history trimmed")
)

// MaxTopic is the greatest length of a topic's name, in bytes.
const MaxTopic = 200

// CheckTopic returns an error unless topic is a valid name: 1 to [MaxTopic] bytes of UTF-8 without
// control characters. Brokers escape the characters that their servers do not accept.
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
