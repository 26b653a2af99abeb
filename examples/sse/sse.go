// Package sse is the subject "one event on a server-sent stream": three strings,
// one of them a JSON text whose quotes every text format has to escape, and a
// small map that is often absent; about 230 bytes of JSON.
package sse

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=SSEEvent
//go:generate zmy gen -type SSEEvent

// SSEEvent is one event as a hub passes it on.
type SSEEvent struct {
	ID     string            `json:"id" zmy:"0"`
	Event  string            `json:"event" zmy:"1"`
	Data   string            `json:"data" zmy:"2"`
	Replay bool              `json:"replay" zmy:"3"`
	Meta   map[string]string `json:"meta,omitempty" zmy:"4"`
}

var (
	events = []string{"order.created", "order.updated", "order.shipped", "payment.captured", "stock.changed"}
	states = []string{"pending", "confirmed", "packed", "in transit", "delivered"}
)

// SampleSSEEvent draws one event; 2 of 3 carry metadata of 1–3 entries.
func SampleSSEEvent(r *rand.Rand) SSEEvent {
	at := sample.Time(r)
	e := SSEEvent{
		ID:     strconv.FormatInt(at.UnixMilli(), 10) + "-" + strconv.Itoa(r.IntN(1000)),
		Event:  sample.Pick(r, events),
		Replay: sample.Chance(r, 0.1),
		Data: fmt.Sprintf(`{"order":%q,"state":%q,"total":%.2f,"currency":"EUR","note":%q}`,
			sample.OrderID(r), sample.Pick(r, states), sample.Price(r), sample.Noun(r)+" "+sample.Noun(r)),
	}
	if n := r.IntN(3) + 1; sample.Chance(r, 2.0/3) {
		e.Meta = map[string]string{"trace": sample.Hex(r, 8)}
		if n > 1 {
			e.Meta["region"] = sample.Pick(r, []string{"eu-central", "us-east", "ap-south"})
		}
		if n > 2 {
			e.Meta["tenant"] = "t-" + strconv.Itoa(r.IntN(10000))
		}
	}
	return e
}
