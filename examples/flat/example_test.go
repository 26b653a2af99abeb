package flat_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/flat"
)

// The message of a struct without lists and maps takes one allocation of its own size.
func Example() {
	v := flat.SamplePerson(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back flat.Person
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(b) == 37+len(v.Name)+len(v.Phone), back == v)
	// Output:
	// true true
}
