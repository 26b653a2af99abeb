package worker

import (
	"encoding/json"
	"fmt"
)

// Commands of experiments. Each has its own types of argument and answer, which travel as JSON in
// Request.Args and Reply.Data.
const (
	CmdClosed   = "closed"     // ClosedLoop → Load
	CmdOpen     = "open"       // OpenLoop → Load
	CmdGC       = "gc"         // GC → GCReading
	CmdAlloc    = "alloc-time" // AllocTime → Profile
	CmdLifetime = "lifetime"   // Lifetime → Lifetimes
	CmdPool     = "pool"       // Contended → Readings
	CmdSharing  = "sharing"    // Contended → Readings
	CmdPublish  = "publish"    // Contended → Readings
	CmdHandOff  = "hand-off"   // HandOff → Readings
	CmdWalk     = "walk"       // Walk → Readings
	CmdRepeat   = "repeat"     // Repeat → Done
	CmdProfile  = "profile"    // ProfileArgs → Profiled
	CmdWorst    = "worst"      // WorstArgs → Worst

	CmdStoreTry  = "try the store"      // StoreAt → Shelf: does it answer?
	CmdStoreFill = "fill the store"     // StoreAt → Shelf
	CmdStoreLoad = "load on the store"  // StoreLoop → Stored
	CmdStoreDrop = "clean the store up" // StoreAt → Shelf
)

// experiment answers a command of an experiment.
func (b *bench[T, N]) experiment(q *Request) (json.RawMessage, error) {
	switch q.Cmd {
	case CmdClosed:
		return with(q, b.closedLoop)
	case CmdOpen:
		return with(q, b.openLoop)
	case CmdGC:
		return with(q, b.collect)
	case CmdAlloc:
		return with(q, b.allocTime)
	case CmdLifetime:
		return with(q, b.lifetime)
	case CmdPool:
		return with(q, b.poolHits)
	case CmdSharing:
		return with(q, b.falseSharing)
	case CmdPublish:
		return with(q, b.publication)
	case CmdHandOff:
		return with(q, b.handOff)
	case CmdWalk:
		return with(q, b.walk)
	case CmdRepeat:
		return with(q, b.again)
	case CmdProfile:
		return with(q, b.profile)
	case CmdWorst:
		return with(q, b.worst)
	case CmdStoreTry:
		return with(q, b.tryStore)
	case CmdStoreFill:
		return with(q, b.fillStore)
	case CmdStoreLoad:
		return with(q, b.storeLoop)
	case CmdStoreDrop:
		return with(q, b.dropStore)
	}
	return nil, fmt.Errorf("unknown command %q", q.Cmd)
}

// with decodes the argument, calls do, and encodes its answer.
func with[A, R any](q *Request, do func(*A) (R, error)) (json.RawMessage, error) {
	a := new(A)
	if err := json.Unmarshal([]byte(q.Args), a); err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", q.Cmd, err)
	}
	r, err := do(a)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}
