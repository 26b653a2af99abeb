// Package schema describes types of ZMY native as data.
//
// A [Schema] is a table of types that refer to each other by index; the first is
// the type of the message. It comes from a Go type ([Of], [For]), from the
// generator, or from a schema block that travelled with a message ([Parse]).
// It has two fingerprints: [Schema.Fingerprint] leaves names out, so that renaming is
// safe, and [Schema.FullFingerprint] takes them in, for readers of JSON. [Diff]
// says what separates two versions, and whether each reads what the other
// wrote. Package schema/dynamic reads messages by their schema alone.
//
// The bytes of a schema block are a message of type Schema: spec/ENVELOPE.md.
//
// NOTE, the map of the package:
//
//	schema.go kind.go  the description
//	check.go           what a description must keep to
//	layout.go          where fields stand: tables for package wire
//	text.go            canonical text and fingerprints
//	of.go of_*.go      from Go types
//	block.go           to bytes and back
//	change.go diff*.go compatibility
package schema
