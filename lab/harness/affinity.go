package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseCPUs reads a list of processors in taskset's form: "1", "0,2", "4-7". This process must be
// allowed to use all of them. The result is sorted.
func ParseCPUs(list string) ([]int, error) {
	have, err := CPUs()
	if err != nil {
		return nil, err
	}
	var out []int
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		lo, err := strconv.Atoi(first)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.Atoi(last)
		}
		if err != nil || lo < 0 || hi < lo || hi > have[len(have)-1] {
			return nil, fmt.Errorf("%q is no list of processors such as 1, 0,2 or 4-7; this process may use %s", list, spellCPUs(have))
		}
		for i := lo; i <= hi; i++ {
			if !slices.Contains(have, i) {
				return nil, fmt.Errorf("processor %d is not among those that this process may use: %s", i, spellCPUs(have))
			}
			if !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// spellCPUs writes a sorted list of processors as ParseCPUs reads it: 0-3,6.
func spellCPUs(cpus []int) string {
	var out []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		if s := strconv.Itoa(cpus[i]); i == j {
			out = append(out, s)
		} else {
			out = append(out, s+"-"+strconv.Itoa(cpus[j]))
		}
		i = j + 1
	}
	return strings.Join(out, ",")
}
