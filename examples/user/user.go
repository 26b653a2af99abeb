// Package user is the subject "the smallest record that is still a record":
// three fields, about 90 bytes of JSON.
package user

import (
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=User
//go:generate zmy gen -type User

// User is one account.
type User struct {
	Id     int64    `json:"id" zmy:"0"` //nolint:revive // spelled as the published benchmarks spell it
	Name   string   `json:"name" zmy:"1"`
	Emails []string `json:"emails" zmy:"2"`
}

// SampleUser draws one account with up to three addresses, one as a rule.
func SampleUser(r *rand.Rand) User {
	first, last := sample.Name(r)
	u := User{Id: r.Int64N(1 << 40), Name: first + " " + last}
	for range sample.Pick(r, []int{0, 1, 1, 1, 1, 2, 2, 3}) {
		u.Emails = append(u.Emails, sample.Email(r, first, last))
	}
	return u
}
