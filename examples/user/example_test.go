package user_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/user"
	"github.com/zmylab/zmy/fxjson"
)

// The three calls that replace encoding/json's.
func Example() {
	u := user.SampleUser(rand.New(rand.NewPCG(3, 0)))
	text, err := fxjson.Marshal(&u)
	if err != nil {
		log.Fatal(err)
	}
	var back user.User
	if err := fxjson.Unmarshal(text, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n%+v\n", text, back)
	// Output:
	// {"id":1017212005592,"name":"Gabriela Virtanen","emails":["gabriela.virtanen@example.org"]}
	// {Id:1017212005592 Name:Gabriela Virtanen Emails:[gabriela.virtanen@example.org]}
}
