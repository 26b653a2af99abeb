package worker

import (
	"encoding/json"
	"os"
)

// Message is a message in a file that one process writes for another. The other process has never
// encoded the value. If it can decode the message, the codec has kept nothing of the value anywhere
// else.
type Message struct {
	Mode  string `json:"mode,omitempty"` // mode of the encoder
	Value int    `json:"value"`          // index of the value
	Data  []byte `json:"data"`

	// Messages of changed values come in several tries. Sum is the digest of the value that the
	// writer decoded from Data, or 0 if two decoded values had different digests.
	Try int    `json:"try,omitempty"`
	Sum uint64 `json:"sum,omitempty"`
}

// WriteMessages writes a file of messages.
func WriteMessages(file string, all []Message) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// ReadMessages reads a file of WriteMessages.
func ReadMessages(file string) (all []Message, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(data, &all)
}
