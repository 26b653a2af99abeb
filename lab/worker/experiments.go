package worker

import (
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// Commands of experiments. Each has its own types of argument and answer, which travel as JSON in
// Request.Args and Reply.Data. The types are declared here, away from the code that serves the
// commands, so that the coordinator can import them without linking that code.
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
	CmdCount    = "count"      // Count → Counted
	CmdProfile  = "profile"    // ProfileArgs → Profiled
	CmdWorst    = "worst"      // WorstArgs → Worst

	CmdStoreTry  = "try the store"      // StoreAt → Shelf: does it answer?
	CmdStoreFill = "fill the store"     // StoreAt → Shelf
	CmdStoreLoad = "load on the store"  // StoreLoop → Stored
	CmdStoreDrop = "clean the store up" // StoreAt → Shelf
)

// Task is the work of one request of a load.
type Task struct {
	Op     string // encode | decode | trip, see OpTrip
	Encode string // mode of the encoder; "" is the first one
	Decode string // mode of the decoder; "" is the first one
}

// OpTrip encodes a value and decodes it again, as the two ends of a connection do.
const OpTrip = "trip"

// Memory is the memory of the process.
type Memory struct {
	Heap     float64 `json:"heap"`               // bytes in use on the heap, garbage included
	Mapped   float64 `json:"mapped"`             // bytes that the runtime has from the system
	Resident float64 `json:"resident,omitempty"` // bytes of the process in physical memory, 0 if unknown
}

// Repeat asks for a task n times with nothing around it, for counting instructions.
type Repeat struct {
	Task Task
	N    int
}

// Done says what Repeat has done.
type Done struct {
	N     int     `json:"n"`
	Bytes float64 `json:"bytes"`
	Wall  float64 `json:"wall"` // ns
}

// Count asks for rounds of operations between two calls of a function that a counter of
// instructions knows, see [Marks].
type Count struct {
	Cells  []CountCell
	Rounds int // of each cell
}

// CountCell is one cell to count.
type CountCell struct {
	Op, Mode string
	N        int // operations in a round, after as many that warm up
}

// Marks is a pattern for the name of the function that is called before and after each round. In
// the order of Count's cells, the odd calls begin a round and the even ones end it.
const Marks = "*/worker/experiment.countMark"

// Counted says what the process allocated in each round.
type Counted struct {
	Cells [][]Allocated `json:"cells"` // by cell and round
}

// Allocated is what a round allocated.
type Allocated struct {
	Objects float64 `json:"objects"`
	Bytes   float64 `json:"bytes"`
}

// ClosedLoop is a load of several callers. Each waits for its answer before it makes the next
// request.
type ClosedLoop struct {
	Task       Task
	Goroutines int
	Rounds     int           // requests of each caller
	Most       time.Duration // no request begins later than this after the start; 0: no limit
	Procs      int           // GOMAXPROCS during the load; 0 leaves it unchanged
	Spin       bool          // a thread spins during the load, as the generator of an open loop does
}

// Load holds the measurements of a load.
type Load struct {
	openloop.Served
	Wall   float64 `json:"wall"`  // ns
	CPU    float64 `json:"cpu"`   // ns of the process
	Bytes  float64 `json:"bytes"` // over the wire
	Procs  int     `json:"procs"` // GOMAXPROCS
	Cycles int     `json:"cycles"`
	Alloc  float64 `json:"alloc"`  // bytes allocated during the load
	Memory Memory  `json:"memory"` // at the end
	// Waited and Preempted count context switches: a thread gave up its processor to wait, or the
	// system took it away.
	Waited    int64 `json:"waited"`
	Preempted int64 `json:"preempted"`

	Response openloop.Histogram `json:"response"` // ns from when a request was made or was due until its end
	Service  openloop.Histogram `json:"service"`  // ns of the codec's own work, interruptions included
	Late     openloop.Histogram `json:"late"`     // ns by which the generator of an open loop was late
}

// OpenLoop is a load whose requests are made when they are due, whether or not earlier ones were
// answered.
type OpenLoop struct {
	Task Task
	openloop.Schedule
}

// Contended is work that several goroutines do together.
type Contended struct {
	Goroutines int
	N          int  // operations of each goroutine, per reading
	Repeats    int  // readings of each way; the ways take turns
	Bare       bool // without the codec, to measure the cost of the way itself
}

// Readings holds the times of several ways to do one thing.
type Readings struct {
	Ways []Way `json:"ways"`
}

// Way is one way with its readings.
type Way struct {
	Name  string    `json:"name"`
	NS    []float64 `json:"ns,omitempty"`    // wall ns per operation, of all goroutines together
	CPU   []float64 `json:"cpu,omitempty"`   // CPU ns per operation
	Each  []int     `json:"each,omitempty"`  // readings per process, in order; empty for a single process
	Bytes float64   `json:"bytes,omitempty"` // allocated per operation
	Gets  int       `json:"gets,omitempty"`  // Gets from a pool
	Hits  int       `json:"hits,omitempty"`  // Gets that found an object in the pool
	None  string    `json:"none,omitempty"`  // why the way cannot be measured
}

// HandOff compares ways to hand messages from one goroutine to another.
type HandOff struct {
	N       int  // messages per reading
	Repeats int  // readings of each form; the forms take turns
	MiB     bool // hand over arrays of 1 MiB instead of the subject's values
}

// Gob holds the functions of encoding/gob, or a substitute. Only workers of the experiment that
// compares hand-offs link encoding/gob, because the sizes of all other workers show how much a
// codec adds to a program.
type Gob struct {
	Register  func(v any) // called with a value of each type that interfaces hold
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(b []byte, v any) error
}

// Walk compares encoding with two ways to visit every field of a value: by package reflect, and by
// offsets that are computed once per type.
type Walk struct {
	For     time.Duration // approximate duration of one reading
	Repeats int           // readings of each way; the ways take turns
}

// Names of the ways that Walk compares.
const (
	WayEncode  = "encode"
	WayReflect = "reflective walk"
	WayOffsets = "walk by offsets"
)

// GC is a load under which the garbage collector is observed.
type GC struct {
	Task   Task
	N      int   // operations
	GOGC   int   // the collector's target in percent; -1 turns it off
	Retain int64 // bytes of linked objects that stay alive meanwhile, like a cache
}

// GCReading holds what the collector did during a load.
type GCReading struct {
	N        int     `json:"n"`
	Wall     float64 `json:"wall"` // ns
	CPU      float64 `json:"cpu"`  // ns of the process
	Cycles   int     `json:"cycles"`
	Pause    float64 `json:"pause"`     // ns for which the world was stopped, in total
	PauseMax float64 `json:"pause_max"` // ns of the longest stop
	GCCPU    float64 `json:"gc_cpu"`    // CPU ns of collecting, as the runtime estimates them
	Assist   float64 `json:"assist"`    // part of GCCPU that the codec's own goroutine spent
	Live     float64 `json:"live"`      // bytes alive after the last collection
	Peak     float64 `json:"peak"`      // bytes of the heap at the end, garbage included
	Allocs   float64 `json:"allocs"`    // objects
	Bytes    float64 `json:"bytes"`     // bytes allocated
}

// AllocTime is a load under which a CPU profile is taken.
type AllocTime struct {
	Task Task
	For  time.Duration
}

// Profile is a CPU profile in pprof's format.
type Profile struct {
	N    int    `json:"n"`
	Data []byte `json:"data"`
}

// Lifetime is a load of decodes. Some of the decoded values are watched until they are collected.
type Lifetime struct {
	For   time.Duration
	Every int // one of this many values is watched
}

// Lifetimes holds the lifetimes of decoded values that were dropped at once.
type Lifetimes struct {
	N       int                `json:"n"`       // decodes
	Watched int                `json:"watched"` // number of them that were watched
	Age     openloop.Histogram `json:"age"`     // ns from decoding until the memory was found dead
	Cycles  openloop.Histogram `json:"cycles"`  // collections that ended in that time
}

// ProfileArgs are the arguments of CmdProfile, which profiles one op.
type ProfileArgs struct {
	Op, Mode string
	For      time.Duration // CPU time under the CPU profile; at most five times that by the clock
	CPU      string        // file of the CPU profile
	Before   string        // file for the profile of allocations until the op starts
	After    string        // file for the profile of allocations until the op ends
}

// Profiled says what ran under each profile.
type Profiled struct {
	Ops    int     `json:"ops"`  // under the CPU profile
	CPU    float64 `json:"cpu"`  // ns of the process under the CPU profile
	Wall   float64 `json:"wall"` // ns
	Heap   int     `json:"heap"` // ops under the heap profile
	Allocs float64 `json:"allocs"`
	Bytes  float64 `json:"bytes"`
}

// WorstArgs are the arguments of CmdWorst, which finds the slowest of many single calls of an op.
type WorstArgs struct {
	Op, Mode string
	For      time.Duration
	Trace    string // file for the execution trace around the slowest call
}

// Worst describes the slowest call and its surroundings. Times are in nanoseconds.
type Worst struct {
	N       int     `json:"n"`
	Median  float64 `json:"median"`
	P99     float64 `json:"p99"`
	Ns      float64 `json:"ns"`
	Value   int     `json:"value"` // index of the value; Bytes is the size of its message
	Bytes   int     `json:"bytes"`
	Usual   float64 `json:"usual"`   // median of the other calls with the same value, 0 if there are none
	GCs     uint64  `json:"gcs"`     // collections that ended during the call
	Stopped float64 `json:"stopped"` // ns for which collections stopped the process
	Taken   int64   `json:"taken"`   // how often the system took a processor from the process during the call
	Traced  bool    `json:"traced"`
	Trace   string  `json:"trace,omitempty"` // why there is no trace
}
