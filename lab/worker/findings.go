package worker

// Names of the checks, which find faults other than low speed. A contender that fails a check of
// the first group is not ranked.
const (
	CheckInput    = "fresh decode copies its input"
	CheckOutput   = "fresh encode owns its output"
	CheckApart    = "decoded values share nothing"
	CheckAgain    = "a changed value is encoded anew"
	CheckHolds    = "messages hold the values"
	CheckReader   = "another process reads its messages"
	CheckValues   = "encoding leaves the value alone"
	CheckDocument = "its messages are the documents that it promises"
	CheckSize     = "timed messages are as large as judged ones"
	CheckTimed    = "timed calls do the work"
	CheckNovel    = "values that it never saw take as long"
	CheckTogether = "goroutines do not disturb one another"
	CheckAlone    = "it works only while it is called"
	CheckAfter    = "what it refuses leaves nothing behind"
	CheckSettings = "it leaves the process as it is"

	CheckRetention  = "a kept string keeps the input"
	CheckTruncation = "truncated input is an error"
	CheckFlips      = "flipped bits never panic"
	CheckAccess     = "access reads the leaf"
)

// Checks of capabilities, made on the subject's own values. The result is yes or no, or n/a if the
// type has no map, time or interface to check.
const (
	CheckSame  = "equal values give equal bytes"
	CheckTimes = "times keep nanoseconds"
	CheckAny   = "integers in interfaces stay integers"
)

// Fidelity is the verdict on contract and value. Both grades have the JSON form of run.Grade.
type Fidelity struct {
	Contract Grade `json:"contract"`
	Value    Grade `json:"value"`
	// Kinds lists all kinds of change that were seen, also those that no grade lists. Changes in
	// later calls must be of these kinds.
	Kinds []string `json:"kinds,omitempty"`
	// Changed says how the codec changed the values that it was given, or is "".
	Changed string `json:"changed,omitempty"`
	// Spoilt says how a sound value went wrong after another was refused, or is "".
	Spoilt string `json:"spoilt,omitempty"`
	Edges  []Edge `json:"edges,omitempty"` // extreme values that did not come back unchanged
	Tried  int    `json:"tried,omitempty"` // number of extreme values tried
	// Dashed lists the fields that came back although json:"-" keeps them out of JSON, in the
	// spelling of fidelity.Field.
	Dashed []string `json:"dashed,omitempty"`
}

// Grade is one judgement, the JSON twin of run.Grade.
type Grade struct {
	Grade string `json:"grade"`
	Diffs []Diff `json:"diffs,omitempty"`
}

// Diff is one difference, the JSON twin of run.Diff.
type Diff struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	Kind   string `json:"kind"`
	Count  int    `json:"count"`
}

// Edge is the outcome of one extreme value, the JSON twin of run.Edge.
type Edge struct {
	Name   string `json:"name"`   // float64 NaN
	Path   string `json:"path"`   // place of the extreme
	Result string `json:"result"` // normalised | lost | refused
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"` // or the error
}

// Outcomes of a round trip of an extreme value.
const (
	EdgeNormalised = "normalised"
	EdgeLost       = "lost"    // it came back as something else, without an error
	EdgeRefused    = "refused" // encoding or decoding returned an error
)

// Check is one finding, the JSON twin of run.Check.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result"` // ok | yes | no | bad | n/a
	Detail string `json:"detail,omitempty"`
}

// Odd is a call with a wrong result, or another finding about calls.
type Odd struct {
	Op    string `json:"op"`
	Mode  string `json:"mode"`
	Value int    `json:"value"`
	Check string `json:"check"` // the check that it fails: one of the Check constants
	Text  string `json:"text"`
	Kinds []Kind `json:"kinds,omitempty"` // kinds of change, which may be allowed; empty: wrong in any case
}

// Kind is one kind of change, with its first occurrence.
type Kind struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Verified holds what is found in a process after its last round.
type Verified struct {
	Odd      []Odd    `json:"odd,omitempty"`
	Messages int      `json:"messages"` // number of messages of timed calls, written to Request.Dump
	Settings []string `json:"settings"` // settings that its times depend on: "GOGC 100"
	Wire     float64  `json:"wire"`     // mean bytes of a message as first encoded
	Fresh    float64  `json:"fresh"`    // bytes of messages from timed calls in mode fresh
	Judged   float64  `json:"judged"`   // bytes of the same values as first encoded
	Heap     float64  `json:"heap"`     // bytes that stay in use on the Go heap
	Busy     float64  `json:"busy"`     // CPU ns inside timed batches
	Idle     float64  `json:"idle"`     // CPU ns between a batch and the next command, while it had nothing to do

	Alone []Alone `json:"alone,omitempty"`
	Novel []Novel `json:"novel,omitempty"`
}

// Alone holds the CPU times of calls that ran without garbage collection. If a codec works only
// while it is called, the process takes no more CPU time during the calls than the caller's thread,
// and none afterwards.
type Alone struct {
	Op    string  `json:"op"`
	Own   float64 `json:"own"`   // CPU ns of the caller's thread, or wall ns if that is not known
	CPU   float64 `json:"cpu"`   // ns of the process
	After float64 `json:"after"` // CPU ns afterwards, while nothing was asked of the process
}

// Novel holds the time for values that the codec never saw, and for the same number of timed
// values. Each time is the least of several tries, since a busy machine can only add time.
type Novel struct {
	Op    string  `json:"op"`
	Novel float64 `json:"novel"` // ns
	Timed float64 `json:"timed"` // ns
	Batch float64 `json:"batch"` // ns that the timed values took in the quickest batch; 0 if no batch had all of them
}

// Read says how a process decoded messages that another process wrote.
type Read struct {
	N   int   `json:"n"` // number of messages
	Odd []Odd `json:"odd,omitempty"`
}
