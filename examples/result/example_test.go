package result_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/fxjson"
)

// Numbers take eight bytes each in the native format, their digits in JSON.
func Example() {
	v := result.SampleResult(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back result.Result
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d points: %d bytes native, %d of JSON\n", len(back.Data), len(b), len(text))
	// Output:
	// 1024 points: 8214 bytes native, 19803 of JSON
}
