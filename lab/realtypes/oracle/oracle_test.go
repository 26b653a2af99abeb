package oracle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// note has a field that JSON hides, one that a codec below leaves out, and one that encoding/json
// changes.
type note struct {
	ID     string
	Hidden string `json:"-"`
	Left   string `json:",omitempty"`
	Twice  twice
}

// twice is written by its second part.
type twice struct{ A, B int }

func (t twice) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"b": t.B}) }
func (t *twice) UnmarshalJSON(b []byte) error {
	var m map[string]int
	err := json.Unmarshal(b, &m)
	*t = twice{m["b"], m["b"]}
	return err
}

type plainNote note

const pkg = "github.com/zmylab/zmy/lab/realtypes/oracle.note."

// TestZMY: a native codec may lose what encoding/json loses in the same way, and what it says
// it leaves out; the latter does not count as carried if encoding/json keeps it.
func TestZMY(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docs")
	if err := os.WriteFile(file, []byte(`{"ID":"a","Left":"x","Twice":{"b":3}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change        func(*note)
		leaves        []string
		wrong, left   string
		lossy, broken bool
	}{
		"as encoding/json":   {func(v *note) { v.Hidden = "" }, []string{pkg + "Hidden"}, "", "", false, false},
		"not announced":      {func(v *note) { v.Left = "" }, nil, `Left "`, "", true, true},
		"announced, kept":    {func(v *note) { v.Left = "" }, []string{pkg + "Left"}, "", `Left "`, false, false},
		"changed by JSON":    {func(v *note) { v.Twice.A = v.Twice.B }, nil, "", "", true, false},
		"changed to a third": {func(v *note) { v.Twice.A = -7 }, nil, "Twice.A", "", true, true},
		"everything kept":    {func(*note) {}, nil, "", "", false, false},
	} {
		held := map[string]note{}
		s := &Subject[note]{Documents: file, Plain: func(v *note) any { return (*plainNote)(v) }, LeavesOut: c.leaves, ZMY: &Codec[note]{
			Marshal: func(v *note) ([]byte, error) { held[v.ID] = *v; return []byte(v.ID), nil },
			Unmarshal: func(b []byte, v *note) error {
				*v = held[string(b)]
				c.change(v)
				return nil
			},
		}}
		r, err := s.judge()
		if err != nil {
			t.Fatal(err)
		}
		wrong, left := strings.Join(r.ZMY.Wrong, "\n"), strings.Join(r.ZMY.Left, "\n")
		if !strings.Contains(wrong, c.wrong) || (wrong != "") != c.broken || !strings.Contains(left, c.left) ||
			(left != "") != (c.left != "") || r.ZMY.Lossy != c.lossy {
			t.Errorf("%s: %+v", name, r.ZMY)
		}
	}
}
