package plan

import "go/version"

// compareGo compares go lines such as 1.24 and 1.25.3; "" is the lowest.
func compareGo(a, b string) int {
	if a == "" || b == "" {
		return len(a) - len(b)
	}
	return version.Compare("go"+a, "go"+b)
}
