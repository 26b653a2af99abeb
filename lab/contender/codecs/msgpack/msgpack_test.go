package msgpack

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRefusals: msgpack leaves fields out by its own struct tag, and not by json's.
func TestRefusals(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Lists": "",
		"kinds Embedded": `skipped: Embedded.Skip has type chan int | kinds.go:220 | a channel has no wire form | leave it out with ` +
			`struct tag msgpack:"-", or give its type marshal methods`,
	})
}
