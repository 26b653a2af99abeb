package feed

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
	events "github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/sse"
)

// samples is the number of different events of a request. Further events differ from them only in
// number and time.
const samples = 64

// maker makes events: events of examples/sse, shortened or extended to the requested size.
type maker []events.SSEEvent

func newMaker(size int, seed uint64) (maker, error) {
	r := rand.New(rand.NewPCG(seed, 0x66656564)) // "feed"
	m := make(maker, samples)
	for i := range m {
		m[i] = events.SampleSSEEvent(r)
		if err := resize(&m[i], size, r); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// resize changes the length of e's text so that e takes size bytes as JSON, or one byte more. If
// size is 0, it leaves e unchanged.
func resize(e *events.SSEEvent, size int, r *rand.Rand) error {
	if size == 0 {
		return nil
	}
	e.ID = ID(time.Unix(1<<30, 0), 0) // has the length of the IDs of later events
	var more strings.Builder
	more.WriteString(e.Data)
	for more.Len() < size {
		next := events.SampleSSEEvent(r)
		more.WriteString(next.Data)
	}
	text := more.String()
	var failed error
	cut := sort.Search(len(text), func(n int) bool {
		e.Data = text[:n]
		data, err := codec.FXJSON{}.Marshal(e)
		if err != nil {
			failed = err
		}
		return len(data) >= size
	})
	e.Data = text[:cut]
	return failed
}

// event returns the event with the number n, which is due at that time.
func (m maker) event(n int, due time.Time) *events.SSEEvent {
	e := m[n%len(m)]
	e.ID = ID(due, n)
	return &e
}

// ID returns the ID in an event's data: the time when the event was due, in ns since 1970, and its
// number.
func ID(due time.Time, n int) string {
	return strconv.FormatInt(due.UnixNano(), 10) + "-" + strconv.Itoa(n)
}

func parseID(id string) (due int64, n int, ok bool) {
	at, number, found := strings.Cut(id, "-")
	due, err1 := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.Atoi(number)
	return due, n, found && err1 == nil && err2 == nil && n >= 0
}

// Read decodes an event and returns when it was due and its number. The event's type names its
// codec. Data in a binary codec comes as base64.
func Read(e sse.Event) (due int64, n int, err error) {
	c, err := Lookup(e.Type)
	if err != nil {
		return 0, 0, err
	}
	data := e.Data
	if !sse.IsText(c) {
		if data, err = base64.StdEncoding.AppendDecode(nil, data); err != nil {
			return 0, 0, err
		}
	}
	var v events.SSEEvent
	if err := c.Unmarshal(data, &v); err != nil {
		return 0, 0, err
	}
	due, n, ok := parseID(v.ID)
	if !ok {
		return 0, 0, fmt.Errorf("event %q: its ID is no time and number", v.ID)
	}
	return due, n, nil
}
