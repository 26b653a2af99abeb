package natsx

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/sse"
)

// Header fields of a NATS message that carries a record. The data of that message is the record's
// data. Texts are query-escaped, since a header field is one line.
const (
	fieldType   = "Zmy-Type"
	fieldKey    = "Zmy-Key"
	fieldBinary = "Zmy-Binary"
	fieldTime   = "Zmy-Time" // time of publishing, in ns since 1970
)

// newEpoch draws the epoch at random, because a clock that was set back could repeat an epoch.
func newEpoch() uint64 { return 1 + rand.Uint64N(1<<48) }

// subject returns the NATS subject for an escaped topic: "zmysse.ZMY_SSE.5f3a9c2e.orders".
func (b *Broker) subject(epoch uint64, topic string) string {
	return "zmysse." + b.o.stream + "." + strconv.FormatUint(epoch, 16) + "." + topic
}

// escape turns any topic into one token of a subject. Letters, digits, - and _ stay as they are,
// other bytes become =XX.
func escape(topic string) string {
	plain := func(c byte) bool {
		return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	var b strings.Builder
	for _, c := range []byte(topic) {
		if plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "=%02X", c)
		}
	}
	return b.String()
}

// unescape reverses escape. A text that escape cannot have written, from another program, is
// returned unchanged.
func unescape(token string) string {
	topic, err := url.PathUnescape(strings.ReplaceAll(strings.ReplaceAll(token, "%", "%25"), "=", "%"))
	if err != nil {
		return token
	}
	return topic
}

// field returns the text of a header field. A text that was not escaped is returned unchanged.
func field(h nats.Header, name string) string {
	text, err := url.QueryUnescape(h.Get(name))
	if err != nil {
		return h.Get(name)
	}
	return text
}

func (b *Broker) encode(epoch uint64, topic string, m sse.Message) *nats.Msg {
	h := nats.Header{fieldTime: {strconv.FormatInt(time.Now().UnixNano(), 10)}}
	if m.Type != "" {
		h.Set(fieldType, url.QueryEscape(m.Type))
	}
	if m.Key != "" {
		h.Set(fieldKey, url.QueryEscape(m.Key))
	}
	if m.Binary {
		h.Set(fieldBinary, "1")
	}
	return &nats.Msg{Subject: b.subject(epoch, escape(topic)), Header: h, Data: m.Data}
}

// stored is a message of the stream, whether a consumer or a look-up has returned it.
type stored struct {
	seq     uint64
	at      time.Time // when the server stored it
	subject string
	header  nats.Header
	data    []byte
}

func delivered(m jetstream.Msg) (s stored, pending uint64, err error) {
	meta, err := m.Metadata()
	if err != nil {
		return stored{}, 0, err
	}
	return stored{meta.Sequence.Stream, meta.Timestamp, m.Subject(), m.Headers(), m.Data()}, meta.NumPending, nil
}

// record converts a message of the stream. Missing header fields have their zero values: a message
// that another program has put on a topic's subject is an event too. ErrEpoch is its only error, so
// that no published message can stop a hub.
func (b *Broker) record(epoch uint64, s stored) (sse.Record, error) {
	token, ok := strings.CutPrefix(s.subject, b.subject(epoch, ""))
	if !ok {
		return sse.Record{}, sse.ErrEpoch
	}
	r := sse.Record{ID: sse.ID{Epoch: epoch, Seq: s.seq}, Topic: unescape(token), Time: s.at}
	if ns, err := strconv.ParseInt(s.header.Get(fieldTime), 10, 64); err == nil {
		r.Time = time.Unix(0, ns)
	}
	r.Type, r.Key = field(s.header, fieldType), field(s.header, fieldKey)
	r.Binary = s.header.Get(fieldBinary) == "1"
	r.Data = s.data
	return r, nil
}
