// Package interop tests grpcx with the codecs of other adapters. It is a module of its own, so that
// grpcx requires none of them.
package interop
