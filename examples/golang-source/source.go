// Package golangsource is a tree of files with statistics of their changes, 16 levels deep: 12,800
// nodes of a name, five numbers and their children, 1.6 MB of JSON. It has the shape of
// golang_source.json, a document with which JSON parsers are compared; names and numbers are
// random, and nothing is copied from that document.
package golangsource

import (
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Source

// Source is a repository.
type Source struct {
	Tree     Node   `json:"tree"`
	Username string `json:"username"`
}

// Node is a file or a folder.
type Node struct {
	Name     string  `json:"name"`
	Kids     []Node  `json:"kids"`
	CLWeight float64 `json:"cl_weight"` // share in all changes
	Touches  int     `json:"touches"`
	MinT     int64   `json:"min_t"` // Unix seconds of the first change
	MaxT     int64   `json:"max_t"`
	MeanT    int64   `json:"mean_t"`
}

// levels has the number of nodes in each level of the tree, the root first.
var levels = []int{1, 3, 12, 59, 342, 929, 640, 286, 158, 187, 1313, 5436, 3181, 251, 4, 4}

// SampleSource draws one tree. At most about a fifth of the nodes in a level have children.
func SampleSource(r *rand.Rand) Source {
	s := Source{Tree: node(r, "/"), Username: sample.UserName(sample.Name(r))}
	grow(r, []*Node{&s.Tree}, 1)
	return s
}

// grow gives children to some nodes of one level, the folders, and calls itself for the next level.
func grow(r *rand.Rand, level []*Node, depth int) {
	if depth == len(levels) {
		return
	}
	folders := max(1, min(len(level), levels[depth]/4, len(level)/5+1))
	share := make([]int, folders)
	for range levels[depth] {
		share[r.IntN(folders)]++
	}
	var next []*Node
	for i, n := range share {
		for range n {
			level[i].Kids = append(level[i].Kids, node(r, name(r)))
		}
		for k := range level[i].Kids {
			next = append(next, &level[i].Kids[k])
		}
	}
	r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
	grow(r, next, depth+1)
}

func node(r *rand.Rand, name string) Node {
	first := 1_200_000_000 + r.Int64N(110_000_000)
	n := Node{Name: name, Touches: 1 + int(sample.LogNormal(r, 1.5, 1.2)), MinT: first, MaxT: first, MeanT: first}
	if n.Touches > 1 {
		n.MaxT += r.Int64N(10_000_000)
		n.MeanT += (n.MaxT - n.MinT) / 2
	}
	n.CLWeight = float64(n.Touches) * 0.1
	if sample.Chance(r, 0.5) {
		n.CLWeight = float64(n.Touches) / float64(2+r.IntN(60))
	}
	return n
}

func name(r *rand.Rand) string {
	w := sample.Noun(r)
	if sample.Chance(r, 0.3) {
		w += "_" + sample.Noun(r)
	}
	return w + sample.Pick(r, []string{"", ".go", ".go", ".go", "_test.go", ".c", ".s", ".html"})
}
