//go:build ignore

package adapter

import (
	"unsafe"

	"github.com/bytedance/sonic"
)

// unmarshalAlias lets strings point into b, as UnmarshalFromString does with its argument. The
// caller must keep b unchanged as long as the value is in use.
//
// SAFETY: the string shares b's memory, which mode alias forbids to change while the decoded value
// is in use; its length is that of b (unsafe.String, rule 3 of unsafe.Pointer's string and slice
// functions). Its portable twin is mode fresh, with which the worker compares every other mode.
func unmarshalAlias(b []byte, v any) error {
	return sonic.ConfigDefault.UnmarshalFromString(unsafe.String(unsafe.SliceData(b), len(b)), v)
}
