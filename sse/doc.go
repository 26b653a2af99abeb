// Package sse sends events to browsers and programs over HTTP as server-sent events (WHATWG HTML
// Living Standard, section 9.2). A client never misses an event without being told, and never waits
// for a slower client.
//
// There are three layers. Each is usable without the next:
//
//   - Framing: [AppendEvent] and similar functions write frames; no data can break out of a frame.
//     [Reader] reads streams exactly as the standard says.
//   - A [Broker] keeps one log of events. [NewMemory] keeps the log in this process; adapters keep
//     it on servers.
//   - A [Hub] lets any number of connections follow topics of the log. A client that reconnects
//     with the ID of its last event continues after that event. If it cannot, an event of type
//     "reset" tells it so.
//
// [Client] is the receiving end, for programs.
//
// The publisher chooses the codec of an event, not the client: a hub ignores the header Accept.
//
// # Terms
//
// A message is published to a topic and becomes a record. A record has an [ID]: the epoch of the
// log and a sequence number. An event is what a connection receives; a frame is the bytes of an
// event.
package sse
