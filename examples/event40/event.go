// Package event40 is the subject "an event of web analytics": a name, a time and a map of 40
// properties of type any, where the cost of a large dynamic map shows.
package event40

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Event
//go:generate zmy gen -type Event

// Event is what a page reports.
type Event struct {
	Name       string         `json:"name" zmy:"0"`
	Time       time.Time      `json:"time" zmy:"1"`
	Properties map[string]any `json:"properties" zmy:"2"`
}

// SampleEvent draws one event with 40 properties.
func SampleEvent(r *rand.Rand) Event {
	return Event{
		Name:       sample.Pick(r, []string{"page_view", "add_to_cart", "purchase", "search", "scroll"}),
		Time:       sample.Time(r),
		Properties: sample.Properties(r, 40),
	}
}
