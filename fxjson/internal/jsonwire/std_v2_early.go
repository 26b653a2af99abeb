//go:build goexperiment.jsonv2 && !go1.27

package jsonwire

// StdV2 says whether the toolchain builds encoding/json on its version 2
// (GOEXPERIMENT=jsonv2, the default from Go 1.27 on), whose ways differ in details:
// package fxjson is to do what the encoding/json beside it does. TestStdV2 asks
// that one.
const StdV2 = true

// StdV2Early says whether that is version 2 as Go 1.26 had it for an experiment.
const StdV2Early = true

// replacement is what encoding/json writes for a byte of invalid UTF-8.
const replacement = "\ufffd"
