package shapes_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/shapes"
	"github.com/zmylab/zmy/fxjson"
)

// The same instants in three spellings.
func Example() {
	for _, v := range []any{
		shapes.SampleTimeNative(rand.New(rand.NewPCG(1, 0))),
		shapes.SampleTimeISO(rand.New(rand.NewPCG(1, 0))),
		shapes.SampleTimeUnixMS(rand.New(rand.NewPCG(1, 0))),
	} {
		text, err := fxjson.Marshal(v)
		if err != nil {
			log.Fatal(err)
		}
		b, err := zmy.Marshal(v)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n%d bytes native, %d of JSON\n", text, len(b), len(text))
	}
	// Output:
	// {"id":821911081557436843,"created":"2025-08-07T08:45:57.282Z","updated":"2025-08-07T10:45:10.846Z","expires":"2025-11-05T08:45:57.282Z"}
	// 48 bytes native, 136 of JSON
	// {"id":821911081557436843,"created":"2025-08-07T08:45:57.282Z","updated":"2025-08-07T10:45:10.846Z","expires":"2025-11-05T08:45:57.282Z"}
	// 90 bytes native, 136 of JSON
	// {"id":821911081557436843,"created":1754556357282,"updated":1754563510846,"expires":1762332357282}
	// 36 bytes native, 97 of JSON
}
