// Package dynamic reads messages of ZMY native by their schema alone, without
// the Go type: for tools, gateways and archives.
//
// A message becomes a tree of [Struct], [Map], []any and the values of the Go types
// that the format carries, or JSON. Schema and message may come from anywhere:
// the message is verified before anything is made of it, and what is made stays
// within a budget.
package dynamic
