package worker

import (
	"encoding/json"
	"time"

	"github.com/zmylab/zmy/lab/values"
)

// The pipes, as file descriptors of the worker. Standard output and error stay
// with the user's code, which may print what it likes.
const (
	FDCommands = 3
	FDAnswers  = 4
)

// The commands. Values comes first, all others need it.
const (
	CmdValues    = "values"    // make the values and set the codec up
	CmdFirst     = "first"     // time the first call of each op; right after values
	CmdDescribe  = "describe"  // sum the values up
	CmdFidelity  = "fidelity"  // judge contract and value
	CmdChecks    = "checks"    // who owns input and output, what access reads
	CmdTogether  = "together"  // several goroutines at once; a codec may not survive it
	CmdDamage    = "damage"    // retention and robustness; a codec may not survive it
	CmdSizes     = "sizes"     // bytes per value, raw and compressed
	CmdModes     = "modes"     // what can be run
	CmdCalibrate = "calibrate" // how many operations fill Request.Target
	CmdRun       = "run"       // time one batch
	CmdScaling   = "scaling"   // time a batch of one goroutine, and of two at once
	CmdVerify    = "verify"    // look whether the codec did its work while it was timed
	CmdRead      = "read"      // decode what another process wrote
	CmdNovel     = "novel"     // write messages of changed values, for verify in other processes
	CmdExit      = "exit"
)

// Request is one command: a line on FDCommands, see Line.
type Request struct {
	Cmd string
	ID  int

	Seed   uint64 // values
	N      int    // values: how many; run: operations
	Cap    int64  // values: bytes of all values, as JSON or encoded, at most
	Sample string // values: file with JSON documents to take values from
	Input  string // values: one of Inputs, how the JSON is spelled that decoders read

	// First, with values: time the first call of each op too, before the answer wakes
	// encoding/json up. Not with Sample, whose documents encoding/json has read, nor with
	// Input, for which all values were encoded.
	First bool

	// Grow, with values: the bytes of JSON that each value is brought to by changing the
	// length of its lists, maps or strings; 0 leaves them as they are.
	Grow int64

	// Skip, with values: the values, by their place among those made for Seed, that are
	// left out since encoding/json refuses them; see Describe.Refused. Rising.
	Skip []int

	// Args is what the command of an experiment needs, as JSON of its own type.
	Args string

	Dump string // sizes: file for the encoded values, each after its length as a uvarint; verify: for messages of timed calls

	Op     string        // calibrate, run
	Mode   string        // calibrate, run
	Target time.Duration // calibrate: length of one batch
	Block  int           // run: how many values N goes over, again and again; all that fit when 0
	From   int           // run: which block of the order of values, or which pass first
	Warm   bool          // run: go over the first pass once before the reading
	Looks  int           // run: how many of the timed calls have their results judged
}

// Reply is the answer to one command: a line of JSON on FDAnswers. Exactly one
// of the fields that belong to the command is set, or Err.
type Reply struct {
	ID  int      `json:"id"`
	Err *Failure `json:"err,omitempty"`

	Values    *Values    `json:"values,omitempty"`
	First     []First    `json:"first,omitempty"`
	Describe  *Describe  `json:"describe,omitempty"`
	Fidelity  *Fidelity  `json:"fidelity,omitempty"`
	Checks    []Check    `json:"checks,omitempty"`
	Sizes     *Sizes     `json:"sizes,omitempty"`
	Modes     []Mode     `json:"modes,omitempty"`
	Calibrate *Calibrate `json:"calibrate,omitempty"`
	Run       *Batch     `json:"run,omitempty"`
	Scaling   *Scaling   `json:"scaling,omitempty"`
	Verified  *Verified  `json:"verified,omitempty"`
	Read      *Read      `json:"read,omitempty"`

	Data json.RawMessage `json:"data,omitempty"` // of an experiment's command, in its own form
}

// Failure says what went wrong inside the worker.
type Failure struct {
	What  string `json:"what"`            // "encode fresh of value 3: unsupported type chan int"
	Panic bool   `json:"panic,omitempty"` // it panicked
	Stack string `json:"stack,omitempty"` // the top of the stack, when it did
}

// Values describes what the worker made.
type Values struct {
	N      int    `json:"n"`
	Source string `json:"source"` // "func SampleOrder", "field names and types", "file x.json"
	Capped bool   `json:"capped,omitempty"`
	Procs  int    `json:"procs"`           // GOMAXPROCS
	Grown  string `json:"grown,omitempty"` // what Request.Grow changed: "the length of Items"

	Documents int              `json:"documents,omitempty"` // captured ones that there were
	Refused   []values.Refusal `json:"refused,omitempty"`   // of them, and why: the first few
	Unknown   map[string]int   `json:"unknown,omitempty"`   // documents by the first member that the type has no place for
}

// Refused is a value that encoding/json cannot carry.
type Refused struct {
	Value int    `json:"value"` // its place among those made
	Why   string `json:"why"`
}

// Describe sums the values up.
type Describe struct {
	Digest string `json:"digest"` // a hash of all of them; workers of one run must agree on it
	// Refused are the values that encoding/json does not write, or does not read again.
	Refused []Refused `json:"refused,omitempty"`
	JSON    []float64 `json:"json,omitempty"` // size of each as JSON in bytes, nil when encoding/json cannot encode them

	Alike    bool     `json:"alike,omitempty"`    // all values are equal, and there are several
	Untested []string `json:"untested,omitempty"` // where data in unexported fields was always zero
	// LeavesOut are the fields that the codec says beforehand it does not carry, as fidelity.Field
	// spells them.
	LeavesOut []string `json:"leavesOut,omitempty"`
}

// First is the first call of an op in the process, in nanoseconds.
type First struct {
	Op string  `json:"op"`
	Ns float64 `json:"ns"`
}

// Fidelity is the verdict of the gate. Its fields are spelled as run.Grade is.
type Fidelity struct {
	Contract Grade `json:"contract"`
	Value    Grade `json:"value"`
	// Kinds are all kinds of change that were seen, also those that no grade lists: what
	// happens to values in later calls must be among them.
	Kinds []string `json:"kinds,omitempty"`
	// Changed says how the codec changed the values that it was given, "" where it did not.
	Changed string `json:"changed,omitempty"`
	// Spoilt says what became of a sound value after one that was refused, "" if nothing did.
	Spoilt string `json:"spoilt,omitempty"`
	Edges  []Edge `json:"edges,omitempty"` // extreme values that did not come back as they were
	Tried  int    `json:"tried,omitempty"` // extreme values that there were
	// Dashed are the fields that came back although json:"-" keeps them out of JSON, as
	// fidelity.Field spells them.
	Dashed []string `json:"dashed,omitempty"`
}

// Odd is a call whose result was not the value, or a finding about calls.
type Odd struct {
	Op    string `json:"op"`
	Mode  string `json:"mode"`
	Value int    `json:"value"`
	Check string `json:"check"` // what it speaks against: one of the checks
	Text  string `json:"text"`
	Kinds []Kind `json:"kinds,omitempty"` // changes of the value, all of which may be known; none: it is wrong in any case
}

// Kind is one kind of change, and the first of it.
type Kind struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Edge is what becomes of one extreme value, the JSON twin of run.Edge.
type Edge struct {
	Name   string `json:"name"`   // float64 NaN
	Path   string `json:"path"`   // where it was put
	Result string `json:"result"` // normalised | lost | refused
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"` // or the error
}

// Grade is one judgement, the JSON twin of run.Grade.
type Grade struct {
	Grade string `json:"grade"`
	Diffs []Diff `json:"diffs,omitempty"`
}

// Diff is one change of value, the JSON twin of run.Diff.
type Diff struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	Kind   string `json:"kind"`
	Count  int    `json:"count"`
}

// Check is one finding, the JSON twin of run.Check.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result"` // ok | yes | no | bad | n/a
	Detail string `json:"detail,omitempty"`
}

// Sizes of the encoded values, the JSON twin of run.Sizes.
type Sizes struct {
	Raw    float64 `json:"raw"`
	Gzip   float64 `json:"gzip"`
	P95    float64 `json:"p95"`
	Total  int64   `json:"total"`
	GzipNs float64 `json:"gzip_ns,omitempty"`

	Mean     float64 `json:"mean"`
	MeanGzip float64 `json:"mean_gzip"`
	Max      float64 `json:"max"`
}

// Mode is one thing that run can time.
type Mode struct {
	Op    string  `json:"op"`
	Mode  string  `json:"mode"`
	Alias bool    `json:"alias,omitempty"`
	Wire  float64 `json:"wire"`            // mean bytes per value that it reads or writes
	Wrong string  `json:"wrong,omitempty"` // why it must not be measured: it does not do what mode fresh does
	Note  string  `json:"note,omitempty"`  // what its users must know: it merges into maps
}

// Calibrate is the answer to how long one operation takes.
type Calibrate struct {
	N  int     `json:"n"`  // operations that fill the target, whole passes over the values where they fit
	Ns float64 `json:"ns"` // per operation, roughly
}

// Batch is one timed batch. The times are of the whole batch.
type Batch struct {
	N      int     `json:"n"`
	Wall   float64 `json:"wall"`   // ns
	CPU    float64 `json:"cpu"`    // ns of the process, garbage collection included
	Allocs float64 `json:"allocs"` // objects
	Bytes  float64 `json:"bytes"`  // bytes allocated
	Wire   float64 `json:"wire"`   // mean bytes per value that it read or wrote, see Mode

	Odd []Odd `json:"odd,omitempty"` // of the calls that were looked at
}

// Scaling is the time of N operations of one goroutine, and of N operations of
// each of two at once, in nanoseconds.
type Scaling struct {
	N   int     `json:"n"`
	One float64 `json:"one"`
	Two float64 `json:"two"`
}
