//go:build purego

package zmy_test

const (
	unmarshalAllocs = 17 // a copy for each string
	reflectAllocs   = 22 // and the state of reflection
)
