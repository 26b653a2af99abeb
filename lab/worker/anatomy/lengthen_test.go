package anatomy

import "testing"

// TestLengthen: strings and bytes grow in maps, arrays and interfaces too, and keys of maps.
func TestLengthen(t *testing.T) {
	type named []byte
	v := struct {
		M   map[string]string
		A   [2]string
		Any any
		B   named
		L   []string
	}{map[string]string{"k": "v"}, [2]string{"a", "b"}, "x", named("y"), []string{"1", "2", "3", "4", "5", "6"}}
	Lengthen(&v, 50)
	long := string(letters(50))
	if v.M["k"] != long || v.M[long] != long || v.A != [2]string{long, long} || v.Any != long || string(v.B) != long ||
		v.L[5] != long || v.L[4] != "5" {
		t.Errorf("%+v", v)
	}
}
