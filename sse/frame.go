package sse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// frame is an event as its bytes on the wire: made once, then shared by all that
// are sent it, and never changed.
type frame struct {
	id    ID
	gen   uint64 // of the ring that it entered or began, see ring
	kind  kind
	topic string
	key   string
	at    time.Time // when it was published
	why   ResetReason
	bytes []byte
}

type kind uint8

const (
	eventFrame kind = iota
	resetFrame      // goes to everybody and supersedes what waits
	beatFrame       // keeps a connection in use
)

// The types of the events that a hub sends of its own.
const (
	// ResetEvent says that events may be missing: what the client knows is to be
	// fetched anew. Its data is an object of JSON with a member reason, a [ResetReason].
	// Events behind its ID follow.
	ResetEvent = "reset"
	// GapEvent says that a slow connection has lost events, under [DropOldest] only. Its data is
	// {"from":"5f-7","to":"5f-9","dropped":3}: the IDs of the first and the last of them,
	// and their number.
	GapEvent = "gap"
)

// ResetReason is why a connection could not continue where it was.
type ResetReason string

// The reasons for a reset.
const (
	ResetEpoch   ResetReason = "epoch"   // the log was replaced by another one
	ResetTrimmed ResetReason = "trimmed" // what followed the client's last event is no longer kept
	ResetFuture  ResetReason = "future"  // the client's last event lies behind the newest
	ResetUnknown ResetReason = "unknown" // the client's last event ID is not one of a hub
)

// newFrame frames a record. scratch is overwritten and returned for the next one.
func newFrame(rec *Record, scratch []byte) (*frame, []byte, error) {
	var id [40]byte
	e := Event{ID: string(rec.ID.Append(id[:0])), Type: rec.Type, Data: rec.Data}
	appendFrame := AppendEvent
	if rec.Binary {
		appendFrame = AppendBinaryEvent
	}
	scratch, err := appendFrame(scratch[:0], e)
	if err == nil {
		err = checkType(rec.Type)
	}
	if err != nil {
		return nil, scratch, err
	}
	return &frame{id: rec.ID, topic: rec.Topic, key: rec.Key, at: rec.Time, bytes: bytes.Clone(scratch)}, scratch, nil
}

// checkType refuses the types that clients take for word of the hub itself.
func checkType(typ string) error {
	if typ == ResetEvent || typ == GapEvent {
		return fmt.Errorf("sse: event type %q: %w: hubs send it themselves; choose another one", typ, ErrField)
	}
	return checkField("event type", typ, "\r\n")
}

func newReset(at ID, reason ResetReason) *frame {
	return &frame{id: at, kind: resetFrame, why: reason, bytes: ownEvent(at, ResetEvent, map[string]any{"reason": reason})}
}

// gap is a run of events that a connection has lost.
type gap struct {
	from, to ID
	dropped  int
}

func (g *gap) add(f *frame) {
	if g.dropped == 0 {
		g.from = f.id
	}
	g.to = f.id
	g.dropped++
}

func (g *gap) frame() *frame {
	return &frame{id: g.to, bytes: ownEvent(g.to, GapEvent, struct {
		From    string `json:"from"`
		To      string `json:"to"`
		Dropped int    `json:"dropped"`
	}{g.from.String(), g.to.String(), g.dropped})}
}

func ownEvent(id ID, typ string, data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // strings and integers only
	}
	b, err := AppendEvent(nil, Event{ID: id.String(), Type: typ, Data: text})
	if err != nil {
		panic(err) // digits and constants only
	}
	return b
}

// newBeat brings the place of all connections that wait up to date as it keeps them
// in use: a quiet topic must not fall behind the history because of busy ones.
func newBeat(at ID) *frame {
	b, err := AppendID(nil, at.String())
	if err != nil {
		panic(err) // an ID is never empty
	}
	return &frame{id: at, kind: beatFrame, bytes: b}
}
