package nano

import (
	"net/http"
	"time"
)

// recording gathers the frames of a stream, to be kept as a snapshot if it is whole. What it takes counts as the
// store's. There is one at a time of each snapshot: however many clients follow the same stream, it is gathered once.
type recording struct {
	of     *Snapshots // nil where nothing is recorded
	id     snapshotID
	frames []byte
}

// record begins a recording, unless the stream is the rest of one, or there is a recent snapshot or another recording.
func (x *Exchange) record() recording {
	if x.resume.last > 0 || x.statusOr(http.StatusOK) != http.StatusOK {
		return recording{}
	}
	if id, ok := x.snapshotID(); ok && x.s.snapshots.begin(id) {
		return recording{of: x.s.snapshots, id: id}
	}
	return recording{}
}

// add adds frames that are sent; those of a stream that is too large, or for which there is no room, are let go.
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

// take is reserve under the lock. Recordings together have half the store: streams that may never end must not push out
// all that is good.
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
