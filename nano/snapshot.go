package nano

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Snapshots keeps good answers for the time when there are none, the last one of each
// key, within a limit of bytes. What was not asked for the longest time makes room.
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
	if x.s.snapshots == nil || x.codec == nil {
		return snapshotID{}, false
	}
	id := x.s.snapshotKey(x.r)
	return snapshotID{x.key, id, x.media}, id != ""
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
		x.before = x.w.Header().Clone()
	}
}

// orSnapshot answers with a snapshot, if there is one, where err is a reason to.
func (x *Exchange) orSnapshot(err error) error {
	p, ok := err.(*Problem)
	if !ok || p.instead == "" || x.wrote {
		return err
	}
	if x.stream && x.r.Header[ResumeToken] != nil { // its numbers may differ from those that the client has
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
	x.failure = err
	h := x.w.Header()
	if x.before != nil {
		clear(h)
		maps.Copy(h, x.before)
	}
	h.Set("Age", strconv.Itoa(int(time.Since(s.at)/time.Second)))
	h.Set("Cache-Status", "nano; hit; detail="+p.instead) // RFC 9211
	return x.write(s.status, x.media, s.body)
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
