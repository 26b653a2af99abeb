package sse

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is one event of a stream.
type Event struct {
	// ID becomes the client's last event ID; "" leaves the client's ID unchanged.
	ID string
	// Type selects the listeners that a browser calls; "" means "message".
	Type string
	// Data is text. Its line breaks may be LF, CR or CRLF; clients get LF, since the format sends
	// lines. Bytes that are not UTF-8 become U+FFFD. For other data use [AppendBinaryEvent].
	Data []byte
}

// ErrField is wrapped by errors about an ID or a type that cannot be sent in a stream.
var ErrField = errors.New("field cannot be sent")

// AppendEvent appends the frame of e to dst: its fields and an empty line. The frame is valid UTF-8
// and is one event to every client, whatever e holds. An ID and a type must be UTF-8 without line
// breaks, and an ID also without NUL, since clients ignore an ID with NUL. Otherwise AppendEvent
// returns dst and an error that wraps [ErrField]. It does not allocate if dst has room.
func AppendEvent(dst []byte, e Event) ([]byte, error) {
	out, err := appendHead(dst, e.ID, e.Type)
	if err != nil {
		return dst, err
	}
	return append(appendLines(out, "data: ", e.Data), '\n'), nil
}

// AppendBinaryEvent is [AppendEvent] for data that is not text. The data is sent as base64 (RFC
// 4648, section 4) in one line. The frame does not say so: the client has to know.
func AppendBinaryEvent(dst []byte, e Event) ([]byte, error) {
	out, err := appendHead(dst, e.ID, e.Type)
	if err != nil {
		return dst, err
	}
	out = append(out, "data: "...)
	out = base64.StdEncoding.AppendEncode(out, e.Data)
	return append(out, "\n\n"...), nil
}

// appendHead appends the lines of ID and type, which precede the data.
func appendHead(dst []byte, id, typ string) ([]byte, error) {
	if id != "" {
		if err := checkID(id); err != nil {
			return dst, err
		}
		dst = append(append(append(dst, "id: "...), id...), '\n')
	}
	if typ != "" && typ != "message" {
		if err := checkField("event type", typ, "\r\n"); err != nil {
			return dst, err
		}
		dst = append(append(append(dst, "event: "...), typ...), '\n')
	}
	return dst, nil
}

func checkID(id string) error { return checkField("event ID", id, "\r\n\x00") }

func checkField(what, s, without string) error {
	if i := strings.IndexAny(s, without); i >= 0 {
		return fmt.Errorf("sse: %s %q: %w: byte %d is %q, which would end or void the field", what, s, ErrField, i, s[i])
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("sse: %s %q: %w: it is not UTF-8", what, s, ErrField)
	}
	return nil
}

// AppendID appends a frame that sets the client's last event ID and does nothing else: browsers
// call no listener. It returns the errors of [AppendEvent], and an error for an empty ID.
func AppendID(dst []byte, id string) ([]byte, error) {
	if id == "" {
		return dst, fmt.Errorf("sse: event ID: %w: it is empty, which would make clients forget theirs", ErrField)
	}
	out, err := appendHead(dst, id, "")
	if err != nil {
		return dst, err
	}
	return append(out, '\n'), nil
}

// AppendRetry appends a frame that sets how long the client waits before it reconnects. The time is
// sent in milliseconds, rounded up. Negative durations count as 0.
func AppendRetry(dst []byte, d time.Duration) []byte {
	ms := max(d, 0).Milliseconds()
	if d%time.Millisecond > 0 {
		ms++
	}
	dst = append(dst, "retry: "...)
	dst = strconv.AppendInt(dst, ms, 10)
	return append(dst, "\n\n"...)
}

// AppendComment appends a comment, which clients ignore: one line for each line of text, and an
// empty line. A comment may only be sent between frames.
func AppendComment(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, ":\n\n"...)
	}
	return append(appendLines(dst, ": ", []byte(text)), '\n')
}

// appendLines appends, for each line of text, prefix and the line. Text without a line break is one
// line, even if it is empty.
func appendLines(dst []byte, prefix string, text []byte) []byte {
	for {
		line, rest, more := cutLine(text)
		dst = append(dst, prefix...)
		dst = appendValid(dst, line)
		dst = append(dst, '\n')
		if !more {
			return dst
		}
		text = rest
	}
}

// cutLine cuts text at its first LF, CR or CRLF. found is false if text has none.
func cutLine(text []byte) (line, rest []byte, found bool) {
	end := bytes.IndexByte(text, '\n')
	line = text
	if end >= 0 {
		line = text[:end]
	}
	if cr := bytes.IndexByte(line, '\r'); cr >= 0 {
		next := cr + 1
		if next < len(text) && text[next] == '\n' {
			next++
		}
		return text[:cr], text[next:], true
	}
	if end >= 0 {
		return line, text[end+1:], true
	}
	return text, nil, false
}
