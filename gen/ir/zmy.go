package ir

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/zmylab/zmy/internal/zmytype"
)

// A ZMYPlan says how the native format carries the types reached from the roots
// of a package. It is made by check.ZMY and read by emitters; it never changes.
// The words are those of spec/FORMAT.md.
type ZMYPlan struct {
	*zmytype.Plan[*Type, *Field]
	Stale map[*ZMYType]ZMYStale // of each root
}

// ZMYStale is what generated code of a root knows of its Go types, to notice at run time that
// they have changed.
type ZMYStale struct {
	Print   uint64     // fingerprint of the Go types: package zmyprint
	StandIn bool       // reflection sees all of the form, and can take the place of generated code
	Arms    []*ZMYType // the arms of all unions that it reaches
}

// The parts of a plan: package zmytype describes them.
type (
	ZMYType   = zmytype.Type[*Type, *Field]
	ZMYField  = zmytype.Place[*Type, *Field]
	ZMYArm    = zmytype.UnionArm[*Type, *Field]
	ZMYNote   = zmytype.Note[*Type, *Field]
	ZMYRecord = zmytype.Record
)

// ZMYFingerprint is the first 8 bytes, little-endian, of the SHA-256 of a type's canonical text.
func ZMYFingerprint(t *ZMYType) uint64 {
	sum := sha256.Sum256([]byte(t.Text()))
	return binary.LittleEndian.Uint64(sum[:])
}
