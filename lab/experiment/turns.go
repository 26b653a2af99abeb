package experiment

import (
	"context"
	"fmt"
)

// Turn is a task that every launch does once, for one codec.
type Turn struct {
	Codec string
	Doing string // for the progress line
	Do    func(launch int) error
}

// Turns does all turns once in each launch. Each launch takes a new order, so that a slow minute of
// the machine does not hit the same codec every time. If a turn fails, its codec is dropped: it has
// no further turns, and broken contains it. If ctx ends, Turns returns ctx's error.
func (b *Bench) Turns(ctx context.Context, stream string, turns []Turn) (broken map[string]bool, err error) {
	broken = map[string]bool{}
	order := b.Rand(stream)
	for l := range b.Launches() {
		for _, i := range order.Perm(len(turns)) {
			t := turns[i]
			if broken[t.Codec] {
				continue
			}
			b.Progress(fmt.Sprintf("%s, launch %d of %d", t.Doing, l+1, b.Launches()))
			err := t.Do(l)
			if ctx.Err() != nil {
				return broken, ctx.Err()
			}
			if err != nil {
				b.Drop(t.Codec, err)
				broken[t.Codec] = true
			}
		}
	}
	return broken, nil
}
