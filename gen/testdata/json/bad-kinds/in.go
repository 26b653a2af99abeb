package bad

// Job holds what JSON cannot carry.
type Job struct {
	Name  string
	Done  chan bool
	Run   func() error
	Wave  []complex128
	Steps map[string]Step
	ByPos map[Point]string
	Quiet chan int `json:"-"`
	Cost  int      `fxjson:"decimals=2"`
}

// Step is reached through a map.
type Step struct{ Undo func() }

// Point is no key.
type Point struct{ X, Y int }
