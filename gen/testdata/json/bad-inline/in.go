package bad

import "time"

type Job struct {
	N     int               `fxjson:"inline"`
	Named map[string]int    `json:"named" fxjson:"inline"`
	Opt   map[string]int    `json:",omitempty" fxjson:"unknown"`
	Keys  map[int]string    `fxjson:"inline"`
	Time  time.Time         `fxjson:"inline"`
	own   map[string]string `fxjson:"inline"`
	One   map[string]any    `fxjson:"inline"`
	Two   map[string]any    `json:"-" fxjson:"unknown"`
	Typo  string            `fxjson:"inlined"`
	Skip  string            `json:"-" fxjson:"required"`
	Far   float64           `fxjson:"decimals=99"`
}
