// Package jsonv2std is the contender encoding/json as GOEXPERIMENT=jsonv2 builds it.
package jsonv2std

import (
	"github.com/zmylab/zmy/lab/contender"
	stdjson "github.com/zmylab/zmy/lab/contender/codecs/std-json"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "json-v2-std", Family: "json",
	Text:      "encoding/json as GOEXPERIMENT=jsonv2 builds it: version 1's functions on version 2",
	Extra:     true,
	Env:       []string{"GOEXPERIMENT=jsonv2"},
	Abilities: stdjson.Info.Abilities,
})
