package segmentiox_test

import (
	"fmt"
	"testing"

	"github.com/zmylab/zmy/adapters/segmentiox"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt/jsontest"
)

// TestJSON: the promises of a codec, the bytes of encoding/json, and errors by their classes.
func TestJSON(t *testing.T) { jsontest.Run(t, segmentiox.Codec{}) }

func Example() {
	codecs := codec.NewRegistry(segmentiox.Codec{}, codec.Gob{})
	c, mediaType, err := codecs.Negotiate("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string]int{"answer": 42})
	fmt.Printf("%s %s %s %v\n", c.Name(), mediaType, b, err)
	// Output:
	// segmentio application/json {"answer":42} <nil>
}

func BenchmarkAppend(b *testing.B) { jsontest.BenchmarkAppend(b, segmentiox.Codec{}) }
