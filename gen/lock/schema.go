package lock

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// Schema describes the messages of a recorded struct, for programs that read messages without the
// Go type.
func (f *File) Schema(name string) (*schema.Schema, error) {
	t := f.Type(name)
	if t == nil || t.Kind != schema.Struct {
		var names []string
		for _, t := range f.Types {
			if t.Kind == schema.Struct && !foreign(t.Name) && !strings.Contains(t.Name, ":") {
				names = append(names, t.Name)
			}
		}
		return nil, fmt.Errorf("it has no struct %s; it has %s", name, strings.Join(names, ", "))
	}
	s, err := f.schema(t)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}
