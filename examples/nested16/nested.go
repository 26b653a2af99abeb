// Package nested16 is the subject "sixteen levels deep": a chain of nodes like a
// path in a comment thread or an organisation, where the cost of a level shows.
package nested16

import (
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Node
//go:generate zmy gen -type Node

// Levels is the depth of every sampled chain, the root counted.
const Levels = 16

// Node is one level.
type Node struct {
	Name  string  `json:"name" zmy:"0"`
	Level int32   `json:"level" zmy:"1"` // 1 at the root
	Score float64 `json:"score" zmy:"2"`
	Child *Node   `json:"child,omitempty" zmy:"3"`
}

// SampleNode draws a chain of [Levels] nodes.
func SampleNode(r *rand.Rand) Node {
	var n *Node
	for level := int32(Levels); level >= 1; level-- {
		n = &Node{
			Name:  sample.Noun(r) + "-" + sample.Hex(r, 3),
			Level: level,
			Score: sample.Round(100*r.Float64(), 2),
			Child: n,
		}
	}
	return *n
}
