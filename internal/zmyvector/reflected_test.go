package zmyvector

import "testing"

// Reflection knows all types without unions.
func TestReflected(t *testing.T) {
	_, known := Reflected()
	for _, r := range Readers() {
		want := r.Name != "Cast" && r.Name != "Maps"
		if known[r.Name] != want {
			t.Errorf("%s: known by reflection is %v", r.Name, known[r.Name])
		}
	}
}
