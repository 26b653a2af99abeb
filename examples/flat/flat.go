// Package flat is the subject "a small record without anything inside": six fields of five kinds,
// about 110 bytes of JSON. Its fields are those of the struct in the best-known list of Go
// serialization benchmarks, https://github.com/alecthomas/go_serialization_benchmarks, so that
// figures can be compared with that list. The values are random, and differ from those of that
// benchmark.
package flat

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Person
//go:generate zmy gen -type Person

// Person is one entry of a register.
type Person struct {
	Name     string    `json:"name" zmy:"0"`
	BirthDay time.Time `json:"birth_day" zmy:"1"`
	Phone    string    `json:"phone" zmy:"2"`
	Siblings int       `json:"siblings" zmy:"3"`
	Spouse   bool      `json:"spouse" zmy:"4"`
	Money    float64   `json:"money" zmy:"5"`
}

// SamplePerson draws one person. One name in six has a letter outside ASCII. The phone number is
// from a block that is reserved for use in fiction.
func SamplePerson(r *rand.Rand) Person {
	first, last := sample.Name(r)
	return Person{
		Name:     first + " " + last,
		BirthDay: sample.Time(r).AddDate(-18-r.IntN(60), 0, 0),
		Phone:    fmt.Sprintf("+1-%d-555-01%02d", 200+r.IntN(800), r.IntN(100)),
		Siblings: r.IntN(5),
		Spouse:   sample.Chance(r, 0.6),
		Money:    sample.Round(sample.LogNormal(r, 2500, 1), 2),
	}
}
