package cpu

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
)

// Node is a NUMA node: processors and the memory that is near to them.
type Node struct {
	ID       int     `json:"id"`
	CPUs     []int   `json:"cpus"`
	Bytes    float64 `json:"bytes"`    // size of the node's memory
	Distance []int   `json:"distance"` // distance to each node, in the order of IDs; 10 to itself
}

// topology reads the nodes as Linux describes them below dir, normally /sys/devices/system/node. A
// node without processors has memory only.
func topology(dir string) ([]Node, error) {
	found, err := filepath.Glob(filepath.Join(dir, "node[0-9]*"))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s describes no node", dir)
	}
	var out []Node
	for _, d := range found {
		n := Node{}
		if n.ID, err = strconv.Atoi(strings.TrimPrefix(filepath.Base(d), "node")); err != nil {
			continue // node_something
		}
		list, err := os.ReadFile(filepath.Join(d, "cpulist"))
		if err != nil {
			return nil, err
		}
		if n.CPUs, err = cpuList(strings.TrimSpace(string(list))); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(d, "cpulist"), err)
		}
		if text, err := os.ReadFile(filepath.Join(d, "distance")); err == nil {
			for _, f := range strings.Fields(string(text)) {
				v, err := strconv.Atoi(f)
				if err != nil {
					return nil, fmt.Errorf("%s: %q is no distance", filepath.Join(d, "distance"), f)
				}
				n.Distance = append(n.Distance, v)
			}
		}
		n.Bytes = total(filepath.Join(d, "meminfo"))
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b Node) int { return a.ID - b.ID })
	return out, nil
}

// total returns the bytes that a line like "Node 0 MemTotal: 16384 kB" in the file name states, or
// 0 if there is no such line.
func total(name string) float64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 4 && f[2] == "MemTotal:" {
			if kb, err := strconv.ParseFloat(f[3], 64); err == nil {
				return kb * 1024
			}
		}
	}
	return 0
}

// mostCPU bounds the numbers in a list, so that a malformed list cannot fill the memory.
const mostCPU = 1 << 16

// cpuList parses a list like 0-3,8,10-11. A node without processors has an empty list.
func cpuList(s string) (out []int, err error) {
	if s == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		lo, err := strconv.Atoi(first)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.Atoi(last)
		}
		if err != nil || lo < 0 || hi < lo || hi > mostCPU {
			return nil, fmt.Errorf("%q is no list of processors", s)
		}
		for i := lo; i <= hi; i++ {
			out = append(out, i)
		}
	}
	return out, nil
}

// usable keeps the processors of each node that this process may use. It leaves out nodes that have
// none.
func usable(nodes []Node, have []int) (out []Node) {
	for _, n := range nodes {
		n.CPUs = slices.DeleteFunc(slices.Clone(n.CPUs), func(c int) bool { return !slices.Contains(have, c) })
		if len(n.CPUs) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// describe returns the topology in one sentence.
func describe(nodes []Node) string {
	if len(nodes) == 1 {
		return fmt.Sprintf("one NUMA node with %d processors: all memory is equally near", len(nodes[0].CPUs))
	}
	far := 0
	var parts []string
	for _, n := range nodes {
		parts = append(parts, fmt.Sprintf("node %d with %d processors and %s", n.ID, len(n.CPUs), quantity.Bytes(n.Bytes)))
		for _, d := range n.Distance {
			far = max(far, d)
		}
	}
	s := experiment.List(parts)
	if far > 10 {
		s += fmt.Sprintf("; the farthest memory is at distance %d, its own at 10", far)
	}
	return s
}
