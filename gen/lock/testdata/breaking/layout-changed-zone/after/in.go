package in

import "time"

type T struct {
	At time.Time `zmy:"0,zone"`
}
