package protort

import (
	"time"

	"github.com/zmylab/zmy/internal/pbwire"
)

// The functions of this file check values and charge for them as the others do, and store nothing.

// Valid is Text without a result.
func (d *Decoder) Valid(b []byte) bool {
	d.Count(len(b))
	return validBytes(b)
}

// Count is RawText or Bytes without a result, for n bytes.
func (d *Decoder) Count(n int) {
	if !d.alias {
		d.memory -= int64(n)
	}
}

// ValidTime is MergeTime without a result.
func ValidTime(b []byte, left int) bool {
	var t time.Time
	return MergeTime(&t, b, left)
}

// ValidDuration is MergeDuration without a result.
func ValidDuration(b []byte, left int) bool {
	var d time.Duration
	return MergeDuration(&d, b, left)
}

// ValidVarints is AppendVarints without a result. A number takes size bytes in memory.
func (d *Decoder) ValidVarints(b []byte, size int64) bool {
	if d.Charge(2 * size * int64(pbwire.CountVarints(b))) {
		return false
	}
	for i := 0; i < len(b); {
		if _, i = Uvarint(b, i); i < 0 {
			return false
		}
	}
	return true
}

// ValidFixed is AppendFixed32 or AppendFixed64 without a result. A number has width bytes in the
// message and takes size bytes in memory.
func (d *Decoder) ValidFixed(b []byte, width int, size int64) bool {
	return !d.Charge(2*size*int64(len(b)/width)) && len(b)%width == 0
}
