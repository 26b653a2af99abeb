package union

// Event is one of several things that happen.
//
//zmy:union Opened=1 Closed=2 Moved=3
type Event interface{ isEvent() }

// Opened is an Event.
type Opened struct {
	Door string `zmy:"0"`
}

// Closed is an Event without fields.
type Closed struct{}

// Moved is an Event by its pointer only.
type Moved struct {
	X     int32 `zmy:"0"`
	After Event `zmy:"1"`
}

func (Opened) isEvent() {}
func (Closed) isEvent() {}
func (*Moved) isEvent() {}

// Log holds events.
//
//zmy:reserved 1 string
type Log struct {
	Events []Event         `zmy:"0"`
	Last   map[int32]Event `zmy:"2"`
}

var samples = []any{
	new(Log),
	&Log{Events: []Event{Opened{"front"}, nil, Closed{}, &Moved{X: 1, After: Closed{}}, EventUnknown{Disc: 9, Raw: []byte("raw")}}},
	&Log{Last: map[int32]Event{-1: Opened{}, 2: nil}},
}
