// Package sse sends events to browsers and programs over HTTP as server-sent
// events (WHATWG HTML Living Standard, section 9.2), so that nobody loses one
// unnoticed and nobody waits for a slow neighbour.
//
// Three layers, each usable without the next:
//
//   - Framing: [AppendEvent] and its relatives write what cannot be injected into;
//     [Reader] reads streams exactly as the standard says.
//   - A [Broker] keeps one log of events: [NewMemory] in this process, adapters
//     on servers of their own.
//   - A [Hub] lets any number of connections follow topics of the log. A client
//     that comes back with the id of its last event continues behind it; one
//     that cannot is told so by an event of the type "reset".
//
// [Client] is the other end, for programs.
//
// # Terms
//
// A message is published to a topic and becomes a record, which has an [ID]:
// the epoch of the log and a sequence number. An event is what a connection is
// sent; a frame is its bytes.
package sse
