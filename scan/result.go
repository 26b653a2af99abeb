package scan

import (
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan/predict"
)

// Schema is the version of the JSON form of a Result. A field may be added without a new version, never
// renamed or given another meaning.
const Schema = 1

// Result is what a scan found. All shares are of the CPU time of the profile.
type Result struct {
	Schema  int       `json:"schema"`
	Tool    string    `json:"tool"`
	Command []string  `json:"command"` // the arguments that repeat the scan
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`

	Verdict string   `json:"verdict"` // whether to go on reading: the first line of all output
	Leave   bool     `json:"leave"`   // there is nothing to gain
	Modules []string `json:"modules"`
	Found   Found    `json:"found"`

	CPU       *Source           `json:"cpu,omitempty"`  // nil without a profile
	Heap      *Source           `json:"heap,omitempty"` // nil without a heap profile
	All       *predict.Interval `json:"all,omitempty"`  // serialization and its garbage, everywhere
	Here      *predict.Interval `json:"here,omitempty"` // the part of All at sites of the code base
	Collector float64           `json:"collector"`      // share of the garbage collector, for whatever reason
	Saving    *Saving           `json:"saving,omitempty"`
	Refused   string            `json:"refused,omitempty"` // why nothing is predicted
	Cores     float64           `json:"cores,omitempty"`   // cores that the program keeps busy; 0 if unknown
	CoresFrom string            `json:"cores_from,omitempty"`
	Price     float64           `json:"price,omitempty"` // of a core for an hour

	Sites     []*Site    `json:"sites"` // with a profile: those that have samples, heaviest first
	Elsewhere []Other    `json:"elsewhere,omitempty"`
	Types     []Measured `json:"types,omitempty"`
	Notes     []string   `json:"notes,omitempty"`    // how figures came about
	Warnings  []string   `json:"warnings,omitempty"` // doubts a reader must know
	Flame     *run.Frame `json:"flame,omitempty"`
}

// Found counts what is in the source.
type Found struct {
	Sites    int `json:"sites"`
	Types    int `json:"types"`
	Unknown  int `json:"unknown"` // sites without a known type
	Packages int `json:"packages"`
	Lines    int `json:"lines"`
	Tests    int `json:"tests"` // further sites in test files
}

// Source is a profile.
type Source struct {
	Name    string    `json:"name"`
	Samples float64   `json:"samples"`
	Seconds float64   `json:"seconds,omitempty"` // 0 if unknown
	Taken   time.Time `json:"taken,omitzero"`
	// Moved is the share of the samples at sites that agree with the source by function only.
	Moved float64 `json:"moved"`
}

// Saving is a saving as a share, in cores, and in money for a month of 730 hours.
type Saving struct {
	Share predict.Interval  `json:"share"`
	Cores *predict.Interval `json:"cores,omitempty"`
	Month *predict.Interval `json:"month,omitempty"`
}

// Actions.
const (
	Adopt   = "adopt"   // another codec saves CPU
	Leave   = "leave"   // nothing to gain
	Measure = "measure" // it is not known yet what another codec would save
)

// Site is a site with one of its types.
type Site struct {
	File      string   `json:"file"` // relative to the module's folder
	Line      int      `json:"line"`
	Func      string   `json:"func"`
	Package   string   `json:"package"`
	Call      string   `json:"call"`          // "json.Unmarshal(*model.Device)"
	Via       []string `json:"via,omitempty"` // positions of the wrappers, outermost first, the codec's call last
	Direction string   `json:"direction"`
	Codec     string   `json:"codec"`
	Format    string   `json:"format"`
	Type      string   `json:"type,omitempty"` // "" if unknown
	Why       string   `json:"why,omitempty"`  // why the type is unknown
	Generated bool     `json:"generated,omitempty"`

	CPU    *predict.Interval `json:"cpu,omitempty"`
	GC     *predict.Interval `json:"gc,omitempty"`
	Own    float64           `json:"own,omitempty"`    // share of methods such as MarshalJSON; part of CPU
	Stream float64           `json:"stream,omitempty"` // share of reading and writing streams inside the call; not part of CPU
	Moved  float64           `json:"moved,omitempty"`  // share that agrees by function only; part of CPU

	Action string            `json:"action,omitempty"`
	To     string            `json:"to,omitempty"` // the codec to adopt
	Reason string            `json:"reason,omitempty"`
	Ratio  *predict.Interval `json:"ratio,omitempty"` // how many times faster To is
	Saving *Saving           `json:"saving,omitempty"`
	Run    string            `json:"run,omitempty"` // the next command
}

// Other is serialization that no site of the code base called.
type Other struct {
	Where  string           `json:"where"` // dependency, standard library, program
	Name   string           `json:"name"`
	Format string           `json:"format"`
	At     string           `json:"at,omitempty"` // function and line that calls the codec
	CPU    predict.Interval `json:"cpu"`
	GC     predict.Interval `json:"gc"`
}

// Measured is a type that the lab measured, or could not.
type Measured struct {
	Package string `json:"package"`
	Type    string `json:"type"`
	Values  string `json:"values,omitempty"` // where the values came from
	Pairs   []Pair `json:"pairs,omitempty"`
	Error   string `json:"error,omitempty"`
	Report  string `json:"report,omitempty"` // folder below the scan's own
}

// Pair is one direction of two codecs, measured in the same rounds.
type Pair struct {
	Codec  string           `json:"codec"`            // in use
	To     string           `json:"to"`               // that is suggested
	Op     string           `json:"op"`               // encode, decode
	Stream bool             `json:"stream,omitempty"` // to an io.Writer, or from an io.Reader
	Ratio  predict.Interval `json:"ratio"`            // of their times: above 1, To is faster
	Bytes  [2]float64       `json:"bytes"`            // that an operation allocates with Codec and with To
}
