package sse

import (
	"strconv"
	"strings"
)

// ID is the place of a record in the log of a broker. Within an epoch, sequence numbers increase
// strictly over all topics, so one ID gives a connection's place in every topic that it follows.
// Sequence numbers need not be consecutive. Another epoch is another log.
//
// The text of an ID is the epoch in hexadecimal, a hyphen and the sequence number: "5f3a9c2e-1042".
// Clients send it back as their last event ID.
type ID struct {
	Epoch uint64
	Seq   uint64
}

// String returns the text of the ID.
func (id ID) String() string { return string(id.Append(nil)) }

// Append appends the text of the ID to dst.
func (id ID) Append(dst []byte) []byte {
	dst = strconv.AppendUint(dst, id.Epoch, 16)
	dst = append(dst, '-')
	return strconv.AppendUint(dst, id.Seq, 10)
}

// ParseID parses the text that [ID.Append] writes and rejects anything else, such as signs,
// capitals and leading zeros. So equal IDs have equal texts.
func ParseID(s string) (ID, bool) {
	epoch, seq, found := strings.Cut(s, "-")
	e, errEpoch := strconv.ParseUint(epoch, 16, 64)
	n, errSeq := strconv.ParseUint(seq, 10, 64)
	id := ID{e, n}
	return id, found && errEpoch == nil && errSeq == nil && id.String() == s
}
