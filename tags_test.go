//go:build !purego

package zmy_test

const (
	unmarshalAllocs = 5 // one copy for all strings
	reflectAllocs   = unmarshalAllocs
)
