// Package tests has calls in its tests.
package tests

import "encoding/json"

type Event struct{ N int }

func Write(v any) ([]byte, error) {
	return json.Marshal(v) // want marshal std-json *Event via Send; []int via TestOutside; map[string]int via TestInside
}

func Send() { Write(&Event{}) }
