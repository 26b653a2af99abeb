package sse_test

import (
	"strings"
	"time"

	"github.com/zmylab/zmy/sse"
)

// stream is what a whole stream of events comes to.
type stream struct {
	events []parsed
	lastID string
	retry  time.Duration
	tried  bool
}

type parsed struct{ id, typ, data string }

// oracle reads a stream as the standard's text says, sentence by sentence, with the whole stream at
// hand and no regard for speed. Retry times beyond 10¹² ms are not told apart.
func oracle(body []byte, lastID string) stream {
	s := stream{lastID: lastID}
	text := strings.TrimPrefix(decodeUTF8(body), "\uFEFF")
	id, data, typ := lastID, "", ""
	for {
		line, rest, found := oracleLine(text)
		if !found { // the end of the file: what is pending is discarded
			return s
		}
		text = rest
		switch {
		case line == "":
			s.lastID = id
			if data == "" {
				typ = ""
				continue
			}
			data = strings.TrimSuffix(data, "\n")
			if typ == "" {
				typ = "message"
			}
			s.events = append(s.events, parsed{id, typ, data})
			data, typ = "", ""
		case strings.HasPrefix(line, ":"):
		case strings.Contains(line, ":"):
			field, value, _ := strings.Cut(line, ":")
			s.field(field, strings.TrimPrefix(value, " "), &id, &data, &typ)
		default:
			s.field(line, "", &id, &data, &typ)
		}
	}
}

func (s *stream) field(name, value string, id, data, typ *string) {
	switch name {
	case "event":
		*typ = value
	case "data":
		*data += value + "\n"
	case "id":
		if !strings.Contains(value, "\x00") {
			*id = value
		}
	case "retry":
		ms := int64(0)
		for _, c := range value {
			if c < '0' || c > '9' {
				return
			}
			ms = min(ms*10+int64(c-'0'), 1e12)
		}
		if value != "" {
			s.retry, s.tried = time.Duration(ms)*time.Millisecond, true
		}
	}
}

// oracleLine cuts off the first line: CRLF, LF or CR ends it.
func oracleLine(text string) (line, rest string, found bool) {
	for i, c := range text {
		switch c {
		case '\n':
			return text[:i], text[i+1:], true
		case '\r':
			return text[:i], strings.TrimPrefix(text[i+1:], "\n"), true
		}
	}
	return "", "", false
}

// decodeUTF8 is the decoder of the WHATWG Encoding Standard (section 8.1.1), state by state.
func decodeUTF8(in []byte) string {
	var out strings.Builder
	var point rune
	seen, needed := 0, 0
	lower, upper := byte(0x80), byte(0xBF)
	for i := 0; i < len(in); i++ {
		b := in[i]
		if needed == 0 {
			switch {
			case b <= 0x7F:
				out.WriteByte(b)
			case 0xC2 <= b && b <= 0xDF:
				needed, point = 1, rune(b&0x1F)
			case 0xE0 <= b && b <= 0xEF:
				if b == 0xE0 {
					lower = 0xA0
				}
				if b == 0xED {
					upper = 0x9F
				}
				needed, point = 2, rune(b&0xF)
			case 0xF0 <= b && b <= 0xF4:
				if b == 0xF0 {
					lower = 0x90
				}
				if b == 0xF4 {
					upper = 0x8F
				}
				needed, point = 3, rune(b&0x7)
			default:
				out.WriteRune(0xFFFD)
			}
			continue
		}
		if b < lower || b > upper {
			point, needed, seen, lower, upper = 0, 0, 0, 0x80, 0xBF
			i-- // restore the byte to the stream
			out.WriteRune(0xFFFD)
			continue
		}
		lower, upper = 0x80, 0xBF
		point = point<<6 | rune(b&0x3F)
		if seen++; seen == needed {
			out.WriteRune(point)
			point, needed, seen = 0, 0, 0
		}
	}
	if needed != 0 {
		out.WriteRune(0xFFFD)
	}
	return out.String()
}

// lines is text as clients get it: line breaks are LF, and broken characters U+FFFD.
func lines(text []byte) string {
	return strings.ReplaceAll(strings.ReplaceAll(decodeUTF8(text), "\r\n", "\n"), "\r", "\n")
}

// drain reads a stream to its end.
func drain(r *sse.Reader) (s stream, err error) {
	for {
		e, err := r.Next()
		if err != nil {
			s.lastID = r.LastID()
			s.retry, s.tried = r.Retry()
			s.retry = min(s.retry, 1e12*time.Millisecond)
			return s, err
		}
		s.events = append(s.events, parsed{e.ID, e.Type, string(e.Data)})
	}
}
