// Package series has the messages of the meter.
package series

import (
	"encoding/json"
	"io"
)

// Batch is what an agent sends.
type Batch struct {
	Host   string            `json:"host"`
	Sent   int64             `json:"sent"`
	Tags   map[string]string `json:"tags"`
	Series []Series          `json:"series"`
}

// Series are the points of one metric.
type Series struct {
	Metric string   `json:"metric"`
	Kind   string   `json:"kind"`
	Unit   string   `json:"unit,omitempty"`
	Points []Point  `json:"points"`
	Tags   []string `json:"tags,omitempty"`
}

// Point is a value at a time.
type Point struct {
	At    int64   `json:"at"`
	Value float64 `json:"value"`
}

// Summary is what the meter knows of a host.
type Summary struct {
	Host    string  `json:"host"`
	Points  int     `json:"points"`
	Metrics []Total `json:"metrics"`
}

// Total is the sum of a metric.
type Total struct {
	Metric string  `json:"metric"`
	N      int     `json:"n"`
	Sum    float64 `json:"sum"`
	Max    float64 `json:"max"`
}

// Read reads a batch.
func Read(r io.Reader) (b Batch, err error) {
	return b, json.NewDecoder(r).Decode(&b)
}

// Write writes a summary as a line.
func Write(w io.Writer, s Summary) error { return json.NewEncoder(w).Encode(s) }

// WriteBatch writes a batch, as an agent does.
func WriteBatch(b *Batch) ([]byte, error) { return json.Marshal(b) }
