//go:build !purego

package zmy_test

import "strconv"

const (
	unmarshalAllocs = 5                                        // one copy for all strings
	reflectAllocs   = unmarshalAllocs + 64/strconv.IntSize - 1 // on 32 bits the twin, which has package reflect make slices
)
