package nano

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Snapshots keeps the last good answer of each key. That answer is sent when no new one can be
// given. If the answers exceed the limit of bytes, those that were asked for least recently are
// dropped.
type Snapshots struct {
	maxBytes  int
	maxAge    time.Duration
	mu        sync.Mutex
	bytes     int // of answers and recordings together
	answers   lru[snapshotID, snapshot]
	recording map[snapshotID]struct{} // streams that are being recorded
	recorded  int                     // bytes of recordings
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

// snapshotEvery is the least time between two copies of the same answer.
const snapshotEvery = time.Second

// snapshotCost is the memory of an entry, in bytes, without its body and names.
const snapshotCost = 256

// NewSnapshots returns an empty store of at most maxBytes. It does not keep an answer that takes
// more than a quarter of maxBytes, and gives no answer that is older than maxAge.
func NewSnapshots(maxBytes int, maxAge time.Duration) *Snapshots {
	return &Snapshots{maxBytes: maxBytes, maxAge: maxAge, recording: map[snapshotID]struct{}{}}
}

func (c *Snapshots) put(id snapshotID, status int, body []byte) {
	size := id.size() + len(body)
	if size > c.maxBytes/4 {
		return // it would push out too many others
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.answers.get(id)
	if old != nil && time.Since(old.at) < snapshotEvery {
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

// makeRoom removes answers until the store is within its limit. Recordings alone never exceed it.
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

// keep stores a good answer as a snapshot.
func (x *Exchange) keep(status int, body []byte) {
	if status != http.StatusOK {
		return
	}
	if id, ok := x.snapshotID(); ok {
		x.s.snapshots.put(id, status, body)
	}
}

// keepHeader copies the header before the function is called. If a snapshot replaces an answer that
// took too long to encode, the fields that the function has added do not belong to the snapshot.
func (x *Exchange) keepHeader() {
	if x.s.snapshots != nil && x.s.budget != nil {
		x.answer.before = x.w.Header().Clone()
	}
}

// orSnapshot answers with a snapshot if err allows one and there is one. Otherwise it returns err.
func (x *Exchange) orSnapshot(err error) error {
	p, ok := err.(*Problem)
	if !ok || p.instead == "" || x.answer.wrote {
		return err
	}
	if x.format.stream && x.r.Header[ResumeToken] != nil { // frames of the snapshot may have other numbers than those of the client
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

// publicURL returns the key of an answer that depends on nobody's identity, or "" if it may depend
// on one. The key has the scheme, the host, the target as the client sent it, and the target as
// middleware has changed it (http.StripPrefix, a rewrite).
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

// recording gathers the frames of a stream, which become a snapshot if the stream is sent whole.
// Its memory counts towards the store's limit. Each snapshot has at most one recording at a time,
// however many clients follow the stream.
type recording struct {
	of     *Snapshots // nil if nothing is recorded
	id     snapshotID
	frames []byte
}

// record begins a recording. It records nothing if the stream is resumed, if the last snapshot is
// recent, or if another recording for the same snapshot is under way.
func (x *Exchange) record() recording {
	if x.resume.last > 0 || x.answer.statusOr(http.StatusOK) != http.StatusOK {
		return recording{}
	}
	if id, ok := x.snapshotID(); ok && x.s.snapshots.begin(id) {
		return recording{of: x.s.snapshots, id: id}
	}
	return recording{}
}

// add adds frames that are sent. If they are too large or there is no room for them, it ends the
// recording.
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

// keep makes a snapshot of the recording. The stream must have been sent whole.
func (r *recording) keep() {
	c, id, frames := r.of, r.id, r.frames
	if c != nil {
		r.stop()
		c.put(id, http.StatusOK, frames)
	}
}

// stop drops the recording and gives its memory back to the store.
func (r *recording) stop() {
	if r.of != nil {
		r.of.end(r.id, cap(r.frames))
		*r = recording{}
	}
}

// begin reserves the recording of an answer. It returns false if the answer is being recorded
// already, was stored a moment ago, or has no room. end gives the reservation back.
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
	c.recording[id] = struct{}{}
	return true
}

// reserve takes n more bytes for a recording. It returns false if there is no room.
func (c *Snapshots) reserve(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.take(n)
}

// take is reserve, called under the lock. All recordings together have at most half of the store:
// streams that may never end must not push out every good answer.
func (c *Snapshots) take(n int) bool {
	if c.recorded+n > c.maxBytes/2 {
		return false
	}
	c.recorded += n
	c.bytes += n
	c.makeRoom()
	return true
}

// end ends a recording that has reserved n bytes for its frames.
func (c *Snapshots) end(id snapshotID, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.recording, id)
	n += id.size()
	c.recorded -= n
	c.bytes -= n
}
