package adopt

// codec describes a codec that can be replaced by fxjson.
type codec struct {
	name string // as the lab calls it
	path string // import path
	// funcs are the functions that fxjson has with the same name and signature. Their calls and
	// their uses as values both change.
	funcs map[string]bool
	// become are functions whose replacement is spelled otherwise; FX stands for the name of the
	// package fxjson. ARG0 and ARGS, the other arguments, occur if only a call can be replaced.
	become map[string]string
	// same are types, variables and constants that are those of encoding/json, or that fxjson has
	// under the same name.
	same map[string]bool
	// configs are variables whose methods are the codec's functions; the value is their prefix in
	// funcs of fxjson: "FX", or an option.
	configs map[string]config
	// own is set if the functions take interfaces of the codec: only calls change.
	own bool
	// differs says how the results differ from those of fxjson; "" for encoding/json.
	differs string
}

// config is a variable of a codec, whose methods marshal with options.
type config struct {
	marshal string // what x.Marshal becomes
	plain   bool   // x.MarshalIndent and x.NewEncoder write as those of encoding/json do
	differs string // how results differ from those of fxjson
}

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// stdFuncs are the functions of encoding/json that fxjson has.
var stdFuncs = []string{"Marshal", "MarshalIndent", "Unmarshal", "Valid", "Compact", "Indent", "HTMLEscape", "NewEncoder", "NewDecoder"}

// stdTypes are the types of encoding/json of which fxjson has aliases.
var stdTypes = []string{"Delim", "InvalidUnmarshalError", "Marshaler", "MarshalerError", "Number", "RawMessage", "SyntaxError", "Token",
	"UnmarshalTypeError", "Unmarshaler", "UnsupportedTypeError", "UnsupportedValueError"}

// streamMethods are the methods that Encoder and Decoder of fxjson share with those of encoding/json.
var streamMethods = map[string]map[string]bool{
	"NewEncoder": set("Encode", "SetEscapeHTML", "SetIndent"),
	"NewDecoder": set("Decode", "Token", "More", "Buffered", "InputOffset", "UseNumber", "DisallowUnknownFields"),
}

const (
	escapes   = "<, > and & are written as \\u escapes by fxjson"
	ownErrors = "the types and texts of errors are those of encoding/json"
)

// codecs are those that can be replaced by fxjson.
var codecs = []*codec{
	{name: "std-json", path: "encoding/json", funcs: set(stdFuncs...), same: set(stdTypes...)},
	{
		name: "goccy", path: "github.com/goccy/go-json", funcs: set(stdFuncs...), same: set(stdTypes...),
		become: map[string]string{"MarshalNoEscape": "FX.Marshal", "UnmarshalNoEscape": "FX.Unmarshal"},
		differs: "documents that goccy/go-json accepts and encoding/json refuses are refused, invalid UTF-8 is replaced; " +
			ownErrors,
	},
	{
		name: "jsoniter", path: "github.com/json-iterator/go",
		funcs:  set("Marshal", "MarshalIndent", "Unmarshal", "Valid", "NewEncoder", "NewDecoder"),
		become: map[string]string{"UnmarshalFromString": "FX.Unmarshal([]byte(ARG0), ARGS)"},
		configs: map[string]config{
			"ConfigDefault":                       {marshal: "FX.Marshal", plain: true, differs: "keys of maps are sorted"},
			"ConfigCompatibleWithStandardLibrary": {marshal: "FX.Marshal", plain: true},
			"ConfigFastest": {marshal: "FX.MarshalOptions{}.Marshal",
				differs: "floats keep all digits; json-iterator cuts them to six decimals with this configuration"},
		},
		differs: "raw messages are checked and compacted; a target is unchanged after a syntax error; " + ownErrors,
	},
	{
		name: "sonic", path: "github.com/bytedance/sonic",
		funcs: set("Unmarshal", "Valid"),
		become: map[string]string{"Marshal": "FX.MarshalOptions{}.Marshal", "UnmarshalString": "FX.Unmarshal([]byte(ARG0), ARGS)",
			"UnmarshalFromString": "FX.Unmarshal([]byte(ARG0), ARGS)"},
		configs: map[string]config{
			"ConfigDefault": {marshal: "FX.MarshalOptions{}.Marshal"},
			"ConfigStd":     {marshal: "FX.Marshal", plain: true},
			"ConfigFastest": {marshal: "FX.MarshalOptions{}.Marshal"},
		},
		differs: "control characters in strings and other broken JSON are refused, raw messages are checked and compacted; " + ownErrors,
	},
	{
		name: "easyjson", path: easyPath, own: true,
		become: map[string]string{"Marshal": "FX.Marshal", "Unmarshal": "FX.Unmarshal"},
		differs: "keys of maps are sorted, and floats spelled as encoding/json does; names of members match without regard to case; " +
			"control characters in strings, numbers such as 01 and other broken JSON are refused; " +
			"maps and list elements of a target that is used again keep what it had; " + ownErrors,
	},
}

// valueArg is the index of the argument that holds the value, by function and method.
var valueArg = map[string]int{
	"Marshal": 0, "MarshalIndent": 0, "MarshalNoEscape": 0, "Unmarshal": 1, "UnmarshalNoEscape": 1, "UnmarshalFromString": 1,
	"UnmarshalString": 1, "Encode": 0, "Decode": 0,
}

// codec returns the codec of an import path that the target can replace, nil for another package.
func (t *target) codec(path string) *codec {
	for _, c := range t.codecs {
		if c.path == path {
			return c
		}
	}
	return nil
}
