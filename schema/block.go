package schema

import (
	"fmt"

	"github.com/zmylab/zmy"
)

// MaxBlock is the largest size of a schema block in bytes.
const MaxBlock = 1 << 20

// Marshal returns s as a schema block: a message of type Schema.
func (s *Schema) Marshal() ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.AppendZMYOptions(nil, zmy.MarshalOptions{MaxWire: MaxBlock})
}

// Parse reads a schema block and checks it. It is safe for bytes from any source. It refuses blocks
// with kinds that this version does not know.
func Parse(block []byte) (*Schema, error) {
	s := new(Schema)
	if err := s.UnmarshalZMYOptions(block, zmy.UnmarshalOptions{MaxWire: MaxBlock}); err != nil {
		return nil, fmt.Errorf("schema: parse block: %w", err)
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}
