// Package goccy is the contender github.com/goccy/go-json.
package goccy

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "goccy", Family: "json",
	Text:      "goccy/go-json",
	Adopt:     &run.Adopt{Import: "github.com/goccy/go-json", Same: true},
	Abilities: contender.JSON.But(contender.Abilities{Licence: "MIT", Released: "2026-10-29"}),
})
