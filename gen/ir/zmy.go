package ir

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/zmylab/zmy/internal/zmytype"
)

// A ZMYPlan says how the native format carries the types reached from the roots of a package.
// check.ZMY makes it, emitters read it, and it never changes. Its terms are those of
// spec/FORMAT.md.
type ZMYPlan struct {
	*zmytype.Plan[*Type, *Field]
	Stale map[*ZMYType]ZMYStale // by root
}

// ZMYStale is what the generated code of a root records about its Go types, so that it can notice
// at run time that they have changed.
type ZMYStale struct {
	Print   uint64     // fingerprint of the Go types: package zmyprint
	StandIn bool       // reflection sees the whole form, and can replace the generated code
	Arms    []*ZMYType // arms of all unions that the root reaches
}

// The parts of a plan are described in package zmytype.
type (
	ZMYType   = zmytype.Type[*Type, *Field]
	ZMYField  = zmytype.Place[*Type, *Field]
	ZMYArm    = zmytype.UnionArm[*Type, *Field]
	ZMYNote   = zmytype.Note[*Type, *Field]
	ZMYRecord = zmytype.Record
)

// ZMYFingerprint returns the first 8 bytes, little-endian, of the SHA-256 of a type's canonical
// text.
func ZMYFingerprint(t *ZMYType) uint64 {
	sum := sha256.Sum256([]byte(t.Text()))
	return binary.LittleEndian.Uint64(sum[:])
}
