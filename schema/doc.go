// Package schema describes types of ZMY native as data.
//
// A [Schema] is a table of types that refer to each other by index. The first is the type of the
// message. You get a Schema from a Go type ([Of], [For]), from the generator, or from a schema
// block that travelled with a message ([Parse]). It has two fingerprints. [Schema.Fingerprint]
// ignores names, so that renaming is safe; [Schema.FullFingerprint] includes them, for readers of
// JSON. [Diff] lists the changes between two versions, and says whether each reads the messages of
// the other. Package schema/dynamic reads messages with nothing but their schema.
//
// A schema block is a message of type Schema: see spec/ENVELOPE.md.
//
// NOTE, the map of the package:
//
//	schema.go          the description, its kinds, and its block: to bytes and back
//	check.go           the rules that a description must obey
//	layout.go          where fields are in a message: tables for package wire
//	text.go            canonical text and fingerprints
//	of.go              from Go types
//	change.go diff*.go compatibility
package schema
