package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/zmylab/zmy/sse"
)

// notStream is the error for an answer that is not a stream of events.
type notStream struct {
	url, status, mediaType string
}

func (e *notStream) Error() string {
	return fmt.Sprintf("GET %s is answered with %s, %q, which is no stream of events", e.url, e.status, e.mediaType)
}

// stream is one open connection, made of only a socket and a reader. An http.Client would start two
// goroutines for each connection and keep larger buffers. With ten thousand connections that would
// distort the measurement.
type stream struct {
	conn   net.Conn
	body   io.Reader
	events *sse.Reader

	begun func() // called when the first bytes of the stream have come, which end the timeout

	at    time.Time // arrival time of the last bytes from the socket
	first time.Time // arrival time of the first byte of the event that is being read
	fresh bool      // the first byte of that event has not come yet
}

// connect sends the request and reads the head of the answer. The timeout also covers the first
// bytes of the stream: with them the hub says where in its log the connection begins.
func connect(ctx context.Context, u *url.URL, lastID string, timeout time.Duration) (*stream, error) {
	conn, err := (&net.Dialer{Timeout: timeout}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	st := &stream{conn: conn}
	if err := st.ask(ctx, u, lastID, timeout); err != nil {
		conn.Close()
		return nil, err
	}
	return st, nil
}

func (st *stream) ask(ctx context.Context, u *url.URL, lastID string, timeout time.Duration) error {
	defer context.AfterFunc(ctx, func() { _ = st.conn.Close() })()
	if err := st.conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Cache-Control", "no-store")
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	if err := r.Write(st.conn); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReader(&stamped{st}), r)
	if err != nil {
		return err
	}
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // "" if it is not a media type
	if resp.StatusCode != http.StatusOK || mediaType != "text/event-stream" {
		return &notStream{u.String(), resp.Status, resp.Header.Get("Content-Type")}
	}
	st.body = resp.Body
	st.events = sse.NewReader(&marked{st}, maxFrame, lastID)
	return nil
}

// maxFrame is larger than any event of package feed.
const maxFrame = 4 << 20

// next returns the next event. first is the time when its first byte came.
func (st *stream) next() (e sse.Event, first time.Time, err error) {
	if st.fresh = st.events.Buffered() == 0; !st.fresh {
		st.first = st.at
	}
	e, err = st.events.Next()
	return e, st.first, err
}

// stamped reads from the socket, and records when bytes came.
type stamped struct{ *stream }

func (s *stamped) Read(b []byte) (int, error) {
	n, err := s.conn.Read(b)
	s.at = time.Now()
	return n, err
}

// marked reads the answer's body, and records when the first byte of an event came.
type marked struct{ *stream }

func (m *marked) Read(b []byte) (int, error) {
	n, err := m.body.Read(b)
	if m.fresh && n > 0 {
		m.first, m.fresh = m.at, false
	}
	if m.begun != nil && n > 0 {
		if err := m.conn.SetDeadline(time.Time{}); err != nil {
			return n, err
		}
		m.begun()
		m.begun = nil
	}
	return n, err
}
