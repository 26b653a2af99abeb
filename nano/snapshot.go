package nano

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Snapshots keeps good answers for the time when there are none, the last one of each
// key, within a limit of bytes. The answer that was not asked for the longest time makes room.
type Snapshots struct {
	maxBytes  int
	maxAge    time.Duration
	mu        sync.Mutex
	bytes     int // of answers and recordings
	answers   lru[snapshotID, snapshot]
	recording map[snapshotID]struct{} // streams that may become answers
	recorded  int                     // bytes of theirs
}

type snapshotID struct {
	key       Key
	id, media string
}

type snapshot struct {
	status int
	body   []byte // never changed
	at     time.Time
}

// snapshotEvery is how often an answer that comes often is copied.
const snapshotEvery = time.Second

// snapshotCost is what an entry takes beside its body and names.
const snapshotCost = 256

// NewSnapshots returns an empty store of at most maxBytes, whose answers are good for maxAge.
func NewSnapshots(maxBytes int, maxAge time.Duration) *Snapshots {
	return &Snapshots{maxBytes: maxBytes, maxAge: maxAge}
}

func (c *Snapshots) put(id snapshotID, status int, body []byte) {
	size := id.size() + len(body)
	if size > c.maxBytes/4 {
		return // it would push out too much else
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.answers.get(id)
	if old != nil && time.Since(old.at) < snapshotEvery { // meanwhile
		return
	}
	if old == nil {
		old = c.answers.add(id)
		c.bytes += id.size()
	}
	c.bytes += len(body) - len(old.body)
	*old = snapshot{status, append([]byte(nil), body...), time.Now()}
	c.makeRoom()
}

// makeRoom removes answers until the limit is kept. Recordings alone never reach it.
func (c *Snapshots) makeRoom() {
	for c.bytes > c.maxBytes {
		k, v := c.answers.removeOldest()
		c.bytes -= k.size() + len(v.body)
	}
}

func (id snapshotID) size() int {
	return snapshotCost + len(id.key.Tenant) + len(id.key.Version) + len(id.id) + len(id.media)
}

func (c *Snapshots) get(id snapshotID) (snapshot, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.answers.get(id)
	if s == nil || time.Since(s.at) > c.maxAge {
		return snapshot{}, false
	}
	return *s, true
}

func (x *Exchange) snapshotID() (snapshotID, bool) {
	if x.s.snapshots == nil || x.format.codec == nil {
		return snapshotID{}, false
	}
	id := x.s.snapshotKey(x.r)
	return snapshotID{x.key, id, x.format.media}, id != ""
}

// keep stores an answer that may be wanted again.
func (x *Exchange) keep(status int, body []byte) {
	if status != http.StatusOK {
		return
	}
	if id, ok := x.snapshotID(); ok {
		x.s.snapshots.put(id, status, body)
	}
}

// keepHeader notes the header as it is, for the case that what the function adds is not about
// the answer that is sent: a snapshot that stands in for one that took too long to encode.
func (x *Exchange) keepHeader() {
	if x.s.snapshots != nil && x.s.budget != nil {
		x.answer.before = x.w.Header().Clone()
	}
}

// orSnapshot answers with a snapshot, if there is one, where err is a reason to.
func (x *Exchange) orSnapshot(err error) error {
	p, ok := err.(*Problem)
	if !ok || p.instead == "" || x.answer.wrote {
		return err
	}
	if x.format.stream && x.r.Header[ResumeToken] != nil { // its numbers may differ from those that the client has
		return err
	}
	id, ok := x.snapshotID()
	if !ok {
		return err
	}
	s, ok := x.s.snapshots.get(id)
	if !ok {
		return err
	}
	x.ending.failure = err
	h := x.w.Header()
	if x.answer.before != nil {
		clear(h)
		maps.Copy(h, x.answer.before)
	}
	h.Set("Age", strconv.Itoa(int(time.Since(s.at)/time.Second)))
	h.Set("Cache-Status", "nano; hit; detail="+p.instead) // RFC 9211
	return x.answer.write(&x.call, s.status, x.format.media, s.body)
}

// publicURL is the key of answers that depend on nobody's identity: scheme, host and target as
// the client sent them, and what middleware has made of the target (http.StripPrefix, a rewrite).
func publicURL(r *http.Request) string {
	h := r.Header
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead,
		h["Authorization"] != nil, h["Proxy-Authorization"] != nil, h["Cookie"] != nil,
		r.TLS != nil && len(r.TLS.PeerCertificates) > 0:
		return ""
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + r.Host + " " + r.RequestURI + " " + r.URL.RequestURI()
}

// recording gathers the frames of a stream, to be kept as a snapshot if it is whole. Its memory
// counts as the store's. A snapshot has one recording at a time, however many clients follow the
// stream.
type recording struct {
	of     *Snapshots // nil where nothing is recorded
	id     snapshotID
	frames []byte
}

// record begins a recording, unless the stream is the rest of one, or there is a recent snapshot or
// another recording.
func (x *Exchange) record() recording {
	if x.resume.last > 0 || x.answer.statusOr(http.StatusOK) != http.StatusOK {
		return recording{}
	}
	if id, ok := x.snapshotID(); ok && x.s.snapshots.begin(id) {
		return recording{of: x.s.snapshots, id: id}
	}
	return recording{}
}

// add adds frames that are sent; those of a stream that is too large, or for which there is no
// room, are let go.
func (r *recording) add(frames []byte) {
	if r.of == nil {
		return
	}
	n, room := len(r.frames)+len(frames), cap(r.frames)
	if r.id.size()+n > r.of.maxBytes/4 {
		r.stop()
		return
	}
	if n > room {
		room = min(max(n, 2*room), r.of.maxBytes/4-r.id.size())
		if !r.of.reserve(room - cap(r.frames)) {
			r.stop()
			return
		}
		r.frames = append(make([]byte, 0, room), r.frames...)
	}
	r.frames = append(r.frames, frames...)
}

// keep ends a recording that is whole.
func (r *recording) keep() {
	c, id, frames := r.of, r.id, r.frames
	if c != nil {
		r.stop()
		c.put(id, http.StatusOK, frames)
	}
}

// stop gives back what the recording takes.
func (r *recording) stop() {
	if r.of != nil {
		r.of.end(r.id, cap(r.frames))
		*r = recording{}
	}
}

// begin reports whether the answer would be kept that now is recorded, until end.
func (c *Snapshots) begin(id snapshotID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, already := c.recording[id]; already || id.size() > c.maxBytes/4 {
		return false
	}
	if old := c.answers.get(id); old != nil && time.Since(old.at) < snapshotEvery {
		return false
	}
	if !c.take(id.size()) {
		return false
	}
	if c.recording == nil {
		c.recording = map[snapshotID]struct{}{}
	}
	c.recording[id] = struct{}{}
	return true
}

// reserve reports whether there is room for n more bytes of a recording, and takes it.
func (c *Snapshots) reserve(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.take(n)
}

// take is reserve under the lock. Recordings together have half the store: streams that may never
// end must not push out all that is good.
func (c *Snapshots) take(n int) bool {
	if c.recorded+n > c.maxBytes/2 {
		return false
	}
	c.recorded += n
	c.bytes += n
	c.makeRoom()
	return true
}

// end ends a recording with room for n bytes.
func (c *Snapshots) end(id snapshotID, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.recording, id)
	n += id.size()
	c.recorded -= n
	c.bytes -= n
}
