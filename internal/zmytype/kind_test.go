package zmytype

import "testing"

func TestKindNames(t *testing.T) {
	for k := Bool; k <= Unsafe; k++ {
		if kindNames[k] == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	if Kind(200).String() != "invalid" {
		t.Error("unknown kinds must print too")
	}
}
