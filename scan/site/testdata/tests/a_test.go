package tests

import (
	"encoding/json"
	"testing"
)

func TestInside(t *testing.T) {
	Write(map[string]int{})
	json.Unmarshal(nil, &Event{}) // want unmarshal std-json *Event
}
