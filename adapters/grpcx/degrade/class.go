package degrade

import (
	"fmt"
	"strings"
)

// classes are the upper bounds of the classes of message sizes, in bytes. A last class has no
// bound.
var classes = [...]int{1 << 10, 8 << 10, 64 << 10}

// Classes is the number of classes of message sizes: up to 1 KiB, up to 8 KiB, up to
// 64 KiB, and larger.
const Classes = len(classes) + 1

// Class returns the class of a message of size bytes.
func Class(size int) int {
	for i, bound := range classes {
		if size <= bound {
			return i
		}
	}
	return Classes - 1
}

// names lists the sizes of the classes whose bit is set in use.
func names(use uint32) string {
	var out []string
	for i, bound := range classes {
		if use>>i&1 != 0 {
			out = append(out, fmt.Sprintf("≤%d KiB", bound>>10))
		}
	}
	if use>>len(classes) != 0 {
		out = append(out, "larger")
	}
	return strings.Join(out, ", ")
}
