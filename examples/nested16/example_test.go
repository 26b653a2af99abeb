package nested16_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/nested16"
	"github.com/zmylab/zmy/fxjson"
)

// Sixteen levels stay far below the limit of 64.
func Example() {
	v := nested16.SampleNode(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back nested16.Node
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s … level %d: %d bytes native, %d of JSON\n", back.Name, back.Child.Child.Level, len(b), len(text))
	// Output:
	// jar-bb1db8 … level 3: 519 bytes native, 898 of JSON
}
