// Package interop tests grpcx with the codecs of other adapters: in a module of its own,
// so that grpcx requires none of them.
package interop
