// Package ids has the service's own types, which gogo/protobuf's options put into generated code:
// ID by customtype, the others by casttype and castkey.
package ids

import (
	"encoding/hex"
	"fmt"
)

// Customer and SKU are plain strings on the wire.
type (
	Customer string
	SKU      string
)

// ID is 16 bytes, with the methods that customtype asks for.
type ID [16]byte

// String returns the ID in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// FromBytes returns the ID in a plain bytes field, which is the type that protoc-gen-go gives it.
// If b is empty, the ID is zero.
func FromBytes(b []byte) (id ID, err error) { return id, id.Unmarshal(b) }

// Size returns the number of bytes, which is the same for every ID.
func (id ID) Size() int { return len(id) }

// Marshal returns the bytes of the ID.
func (id ID) Marshal() ([]byte, error) { return id[:], nil }

// MarshalTo copies the bytes of the ID to b.
func (id ID) MarshalTo(b []byte) (int, error) { return copy(b, id[:]), nil }

// Unmarshal reads 16 bytes, or none.
func (id *ID) Unmarshal(b []byte) error {
	if len(b) != 0 && len(b) != len(id) {
		return fmt.Errorf("ids: ID of %d bytes, want %d", len(b), len(id))
	}
	*id = ID{}
	copy(id[:], b)
	return nil
}

// MarshalJSON writes the ID in hexadecimal as a JSON string.
func (id ID) MarshalJSON() ([]byte, error) { return []byte(`"` + id.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (id *ID) UnmarshalJSON(b []byte) error {
	if len(b) != 2+2*len(id) || b[0] != '"' {
		return fmt.Errorf("ids: %q is no ID", b)
	}
	_, err := hex.Decode(id[:], b[1:len(b)-1])
	return err
}

// Equal and Compare are for generated code.
func (id ID) Equal(other ID) bool { return id == other }
