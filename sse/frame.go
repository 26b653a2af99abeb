package sse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// frame holds an event's bytes as they are sent. It is made once, shared by all connections that
// are sent the event, and never changed.
type frame struct {
	id    ID
	gen   uint64 // generation of the ring that the frame entered, or that the reset began
	kind  kind
	topic string
	key   string
	at    time.Time // time of publishing
	why   ResetReason
	bytes []byte
}

type kind uint8

const (
	eventFrame kind = iota
	resetFrame      // goes to all connections and replaces what waits for them
	beatFrame       // a heartbeat
)

// The types of the events that a hub sends of its own.
const (
	// ResetEvent says that events may be missing: the client must fetch its state anew. Its data is
	// a JSON object with a member "reason", a [ResetReason]. The events after its ID follow.
	ResetEvent = "reset"
	// GapEvent says that a slow connection has lost events. It is sent under [DropOldest] only. Its
	// data is {"from":"5f-7","to":"5f-9","dropped":3}: the IDs of the first and the last lost
	// event, and their number.
	GapEvent = "gap"
)

// ResetReason says why a connection could not continue at its last event.
type ResetReason string

// The reasons for a reset.
const (
	ResetEpoch   ResetReason = "epoch"   // the log was replaced by another one
	ResetTrimmed ResetReason = "trimmed" // records after the client's last event were trimmed
	ResetFuture  ResetReason = "future"  // the log ends before the client's last event
	ResetUnknown ResetReason = "unknown" // the client's last event ID does not come from a hub
)

// newFrame makes a frame of a record. It overwrites scratch and returns it for the next call. It
// returns an error if the record is not a valid event.
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

// checkType rejects invalid types and those that only a hub may send.
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

// newBeat returns a heartbeat that also sets the client's last event ID to at. So a client of a
// quiet topic does not fall behind the history because other topics are busy.
func newBeat(at ID) *frame {
	b, err := AppendID(nil, at.String())
	if err != nil {
		panic(err) // an ID is never empty
	}
	return &frame{id: at, kind: beatFrame, bytes: b}
}
