package adopt

import "strings"

// Codecs are the codecs that [Run] can change to.
var Codecs = []string{"fxjson", "zmy"}

// Steps of the change to ZMY: readers take both formats first, then writers write ZMY. Each is a
// patch of its own, and the value of Options.To and Result.Codec.
const (
	ZMYRead  = "zmy-read"
	ZMYWrite = "zmy-write"
)

// Command returns the command line of a codec or step: "zmy adopt zmy -read".
func Command(codec string) string { return "zmy adopt " + strings.Replace(codec, "-", " -", 1) }

// target is what call sites change to.
type target struct {
	path    string // import path of the package that they use afterwards
	local   string // its name
	codecs  []*codec
	streams map[string]map[string]bool // methods that its Encoder and Decoder have, by function
	// pairs is set for a change of format: only sites change whose messages stay in the module.
	pairs  bool
	title  string // what sites change to
	test   string // name of the test that is added to a package
	golden string // folder of its documents
}

// Paths of packages of the runtime.
const (
	importPath = runtimePath + "/fxjson"
	dualPath   = runtimePath + "/codec/dual"
)

var targets = map[string]*target{
	"fxjson": {path: importPath, local: "fxjson", codecs: codecs, streams: streamMethods, title: "fxjson",
		test: "fxjson_adopt_test.go", golden: "testdata/fxjson"},
	ZMYRead: {path: dualPath, local: "dual", codecs: only("Unmarshal", "NewDecoder"), pairs: true, title: "reading JSON and ZMY",
		streams: map[string]map[string]bool{"NewDecoder": set("Decode", "More", "UseNumber", "DisallowUnknownFields")},
		test:    "zmy_adopt_test.go", golden: "testdata/zmy"},
	ZMYWrite: {path: dualPath, local: "dual", codecs: only("Marshal", "NewEncoder"), pairs: true, title: "writing ZMY",
		streams: map[string]map[string]bool{"NewEncoder": set("Encode")}},
}

// only returns the codecs from which sites change to ZMY, with these functions.
func only(funcs ...string) []*codec {
	return []*codec{{name: "std-json", path: "encoding/json", funcs: set(funcs...)}, {name: "fxjson", path: importPath, funcs: set(funcs...)}}
}

// target returns the target of the options.
func (o *Options) target() *target {
	if t := targets[o.To]; t != nil {
		return t
	}
	return targets["fxjson"]
}
