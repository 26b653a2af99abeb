package bad

// Job holds what the format cannot carry.
type Job struct {
	Name  string           `zmy:"0"`
	Done  chan bool        `zmy:"1"`
	Run   func() error     `zmy:"2"`
	Steps map[string]Step  `zmy:"3"`
	ByPos map[Point]string `zmy:"4"`
	Quiet chan int         `zmy:"-"`
}

// Step is reached through a map.
type Step struct {
	Undo func() `zmy:"0"`
}

// Point is no key.
type Point struct {
	X int `zmy:"0"`
}
