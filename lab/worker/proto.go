package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/values"
)

// File descriptors of the pipes in the worker. Standard output and error are left to the user's
// code, which may print to them.
const (
	FDCommands = 3
	FDAnswers  = 4
)

// Commands. CmdValues comes first, since all others need the values.
const (
	CmdValues    = "values"    // make the values and set up the codec
	CmdFirst     = "first"     // time the first call of each op; right after values
	CmdDescribe  = "describe"  // describe the values
	CmdFidelity  = "fidelity"  // judge contract and value
	CmdChecks    = "checks"    // checks on sound input
	CmdTogether  = "together"  // several goroutines at once; a codec may not survive it
	CmdDamage    = "damage"    // retention and robustness; a codec may not survive it
	CmdSizes     = "sizes"     // bytes per value, raw and compressed
	CmdModes     = "modes"     // list what can be timed
	CmdCalibrate = "calibrate" // find how many operations fill Request.Target
	CmdRun       = "run"       // time one batch
	CmdScaling   = "scaling"   // time a batch of one goroutine, and of two at once
	CmdVerify    = "verify"    // check that the codec did its work while it was timed
	CmdRead      = "read"      // decode messages of another process
	CmdNovel     = "novel"     // write messages of changed values, for CmdVerify in other processes
	CmdExit      = "exit"
)

// Request is one command: one line on FDCommands, see requestForm. Comments begin with the commands
// that use a field.
type Request struct {
	Cmd string
	ID  int

	Seed   uint64 // values
	N      int    // values: number of values; run, scaling: operations
	Cap    int64  // values: bound on the estimated memory of all values, in bytes
	Sample string // values: file with JSON documents or a fit to make values from
	Input  string // values: spelling of the JSON that decoders read, one of Inputs

	// First, with values: time the first call of each op too. It is timed before the answer is
	// written with encoding/json, because encoding/json may be the codec. Not possible with Sample,
	// since encoding/json has read the documents, or with Input, since all values were encoded.
	First bool

	// Grow, with values: the size as JSON in bytes that each value is given by changing the length
	// of its lists, maps or strings; 0 leaves them unchanged.
	Grow int64

	// Skip, with values: ascending indices of values to leave out because encoding/json refuses
	// them (see Describe.Refused). The indices count all values made for Seed.
	Skip []int

	// Args is the argument of an experiment's command, as JSON of its own type. CmdRead and
	// CmdVerify take the name of a file.
	Args string

	Dump string // file for messages; sizes: of all values; verify: of timed calls; novel: of changed values

	Op     string        // calibrate, run, scaling
	Mode   string        // calibrate, run, scaling
	Target time.Duration // calibrate: duration of one batch
	Block  int           // run: number of values that the operations go over, again and again; 0: all, or the first N if there are more
	From   int           // run: number of the block, or of the first pass
	Warm   bool          // run: go over the first pass once before timing
	Looks  int           // run: number of timed calls whose results are judged
}

// Reply is the answer to one command: one line of JSON on FDAnswers. Either Err is set, or the
// field that belongs to the command; CmdValues may set First too.
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

	Data json.RawMessage `json:"data,omitempty"` // answer to an experiment's command, in its own form
}

// Failure says what went wrong inside the worker.
type Failure struct {
	What  string `json:"what"`            // "encode fresh of value 3: unsupported type chan int"
	Panic bool   `json:"panic,omitempty"` // whether it was a panic
	Stack string `json:"stack,omitempty"` // top of the stack, after a panic
}

// Values describes what the worker made.
type Values struct {
	N      int    `json:"n"`
	Source string `json:"source"` // "func SampleOrder", "field names and types", "file x.json"
	Capped bool   `json:"capped,omitempty"`
	Procs  int    `json:"procs"`           // GOMAXPROCS
	Grown  string `json:"grown,omitempty"` // what Request.Grow changed: "the length of Items"

	Documents int              `json:"documents,omitempty"` // number of captured documents
	Refused   []values.Refusal `json:"refused,omitempty"`   // first few documents that gave no value
	Unknown   map[string]int   `json:"unknown,omitempty"`   // documents by their first unknown member
}

// Refused is a value that encoding/json cannot carry.
type Refused struct {
	Value int    `json:"value"` // index among the values made
	Why   string `json:"why"`
}

// Describe describes the values.
type Describe struct {
	Digest string `json:"digest"` // hash of all values; workers of one run must agree on it
	// Refused lists the values that encoding/json does not write, or does not read again.
	Refused []Refused `json:"refused,omitempty"`
	JSON    []float64 `json:"json,omitempty"` // size of each value as JSON in bytes, without refused ones

	Alike    bool     `json:"alike,omitempty"`    // there are several values and all are equal
	Untested []string `json:"untested,omitempty"` // places that hold no data in any value, see values.Untested
	// LeavesOut lists the fields that the codec announces it does not carry, in the spelling of
	// fidelity.Field.
	LeavesOut []string `json:"leavesOut,omitempty"`
}

// First is the duration of the first call of an op in the process, in nanoseconds.
type First struct {
	Op string  `json:"op"`
	Ns float64 `json:"ns"`
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

// Mode is one op in one mode that CmdRun can time.
type Mode struct {
	Op    string  `json:"op"`
	Mode  string  `json:"mode"`
	Alias bool    `json:"alias,omitempty"`
	Wire  float64 `json:"wire"`            // mean bytes per value that it reads or writes
	Wrong string  `json:"wrong,omitempty"` // how it differs from mode fresh, so that it must not be measured
	Note  string  `json:"note,omitempty"`  // a difference that users must know: it merges into maps
}

// Calibrate is the answer to CmdCalibrate.
type Calibrate struct {
	N  int     `json:"n"`  // operations that fill the target; whole passes over the values, if these fit
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

	Odd []Odd `json:"odd,omitempty"` // findings about the judged calls
}

// Scaling holds the time of N operations on one goroutine, and of N operations on each of two
// goroutines at once, in nanoseconds.
type Scaling struct {
	N   int     `json:"n"`
	One float64 `json:"one"`
	Two float64 `json:"two"`
}

// Inputs: the spellings of the JSON that decoders and accessors read.
const (
	InputAsWritten = ""         // as the codec's mode fresh writes it
	InputIndented  = "indented" // indented by two blanks per level, as pretty printers do
	InputShuffled  = "shuffled" // with the members of every object in random order
)

// Inputs lists the inputs that have a name.
var Inputs = []string{InputIndented, InputShuffled}

// requestForm is the form of a request on the pipe: one line. Strings are quoted, so that none has
// a line feed. The line is read without encoding/json, since encoding/json is a contender too, and
// its first call is to be timed.
const requestForm = "%q %d %d %d %d %q %q %q %q %d %d %d %t %t %q %d %q %q %d\n"

// Line returns the request as a line.
func (q *Request) Line() []byte {
	skip := strings.Trim(fmt.Sprint(q.Skip), "[]")
	return fmt.Appendf(nil, requestForm, q.Cmd, q.ID, q.Seed, q.N, q.Cap, q.Sample, q.Dump, q.Op, q.Mode, q.Target, q.Block, q.From,
		q.First, q.Warm, q.Input, q.Grow, q.Args, skip, q.Looks)
}

// ParseRequest reads a line of Request.Line.
func ParseRequest(line []byte) (*Request, error) {
	q, skip := new(Request), ""
	_, err := fmt.Sscanf(string(line), requestForm, &q.Cmd, &q.ID, &q.Seed, &q.N, &q.Cap, &q.Sample, &q.Dump, &q.Op, &q.Mode, &q.Target,
		&q.Block, &q.From, &q.First, &q.Warm, &q.Input, &q.Grow, &q.Args, &skip, &q.Looks)
	for word := range strings.FieldsSeq(skip) {
		n, e := strconv.Atoi(word)
		err = errors.Join(err, e)
		q.Skip = append(q.Skip, n)
	}
	return q, err
}
