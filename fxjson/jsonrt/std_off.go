//go:build !fxjson_std

package jsonrt

// stdOnly makes encoding/json do the work, see std.go. It is a constant, so the compiler leaves out what it switches off.
const stdOnly = false
