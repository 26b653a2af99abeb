//go:build goexperiment.jsonv2 && !go1.27

package jsonwire

// StdV2 says whether the toolchain builds encoding/json on its version 2 (GOEXPERIMENT=jsonv2, the
// default from Go 1.27 on). The versions differ in details, and package fxjson does what the
// toolchain's encoding/json does. TestStdV2 compares the constant with that.
const StdV2 = true

// StdV2Early says whether that is version 2 as in Go 1.26, where it was an experiment.
const StdV2Early = true

// replacement is what encoding/json writes for a byte of invalid UTF-8.
const replacement = "\ufffd"
