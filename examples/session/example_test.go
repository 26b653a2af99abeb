package session_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/fxjson"
)

// The native format keeps what JSON cannot: an int behind any stays an int.
func Example() {
	v := session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))

	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var fromJSON session.UserSession
	if err := fxjson.Unmarshal(text, &fromJSON); err != nil {
		log.Fatal(err)
	}

	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var fromZMY session.UserSession
	if err := zmy.Unmarshal(b, &fromZMY); err != nil {
		log.Fatal(err)
	}

	const key = "login_count"
	fmt.Printf("before %T, JSON %T, ZMY %T\n", v.Attrs[key], fromJSON.Attrs[key], fromZMY.Attrs[key])
	// Output:
	// before int, JSON float64, ZMY int
}
