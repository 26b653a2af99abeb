// Package sonic is the contender github.com/bytedance/sonic.
package sonic

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "sonic", Family: "json",
	Text: "bytedance/sonic, ConfigStd (mode fastest: ConfigFastest)",
	Adopt: &run.Adopt{Import: "github.com/bytedance/sonic",
		Marshal: "sonic.ConfigStd.Marshal(v)", Unmarshal: "sonic.ConfigStd.Unmarshal(b, &v)"},
	Abilities: contender.JSON.But(contender.Abilities{
		ZeroCopy:   "yes; mode alias",
		Validation: "partly; syntax is checked, invalid UTF-8 is replaced",
		Licence:    "Apache-2.0",
		Released:   "2026-10-26",
	}),
})
