package sessionproto_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	sessionproto "github.com/zmylab/zmy/examples/session-proto"
	"github.com/zmylab/zmy/fxjson"
)

// One session in both forms.
func Example() {
	v := sessionproto.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back sessionproto.UserSession
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d bytes native, %d of JSON\n", back.UserName, len(b), len(text))
	// Output:
	// mohammed.bianchi: 510 bytes native, 727 of JSON
}
