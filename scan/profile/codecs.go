package profile

import "strings"

// codecs are the packages that convert values to bytes and back, with all packages below them. What
// they call is serialization too, except reading and writing of streams.
var codecs = []struct{ path, format string }{
	{"encoding/json", "json"}, {"encoding/gob", "gob"}, {"encoding/xml", "xml"}, {"encoding/csv", "csv"},
	{"github.com/go-json-experiment/json", "json"}, {"github.com/json-iterator/go", "json"}, {"github.com/goccy/go-json", "json"},
	{"github.com/bytedance/sonic", "json"}, {"github.com/segmentio/encoding/json", "json"}, {"github.com/mailru/easyjson", "json"},
	{"github.com/pquerna/ffjson", "json"}, {"github.com/tidwall/gjson", "json"}, {"github.com/tidwall/sjson", "json"},
	{"github.com/buger/jsonparser", "json"}, {"github.com/valyala/fastjson", "json"}, {"github.com/go-faster/jx", "json"},
	{"github.com/minio/simdjson-go", "json"}, {"github.com/francoispqt/gojay", "json"}, {"sigs.k8s.io/json", "json"},
	{"sigs.k8s.io/yaml", "yaml"}, {"github.com/ghodss/yaml", "yaml"}, {"gopkg.in/yaml.v2", "yaml"},
	{"gopkg.in/yaml.v3", "yaml"}, {"go.yaml.in/yaml", "yaml"},
	{"github.com/goccy/go-yaml", "yaml"}, {"github.com/BurntSushi/toml", "toml"}, {"github.com/pelletier/go-toml", "toml"},
	{"google.golang.org/protobuf/encoding/protojson", "json"}, {"google.golang.org/protobuf/encoding/prototext", "prototext"},
	{"github.com/golang/protobuf/jsonpb", "json"}, {"github.com/gogo/protobuf/jsonpb", "json"}, // before the modules that they are in
	{"google.golang.org/protobuf", "protobuf"}, {"github.com/golang/protobuf", "protobuf"}, {"github.com/gogo/protobuf", "protobuf"},
	{"github.com/planetscale/vtprotobuf", "protobuf"}, {"github.com/vmihailenco/msgpack", "msgpack"},
	{"github.com/tinylib/msgp", "msgpack"}, {"github.com/shamaton/msgpack", "msgpack"}, {"github.com/hashicorp/go-msgpack", "msgpack"},
	{"github.com/ugorji/go/codec", "msgpack"}, {"github.com/fxamacker/cbor", "cbor"}, {"go.mongodb.org/mongo-driver/bson", "bson"},
	{"go.mongodb.org/mongo-driver/v2/bson", "bson"}, {"github.com/hamba/avro", "avro"}, {"github.com/linkedin/goavro", "avro"},
	{"github.com/zmylab/zmy/fxjson", "json"}, {"github.com/zmylab/zmy/wire", "zmy"},
}

// runtimePath is the package of ZMY's Marshal and Unmarshal. The packages below it are no codecs but for those
// in codecs.
const runtimePath = "github.com/zmylab/zmy"

// generated are methods that generators of codecs write into the packages of users: they are codecs.
var generated = map[string]string{
	"MarshalVT": "protobuf", "UnmarshalVT": "protobuf", "MarshalToVT": "protobuf", "MarshalToSizedBufferVT": "protobuf", "SizeVT": "protobuf",
	"UnmarshalVTUnsafe": "protobuf", "MarshalVTStrict": "protobuf", "XXX_Marshal": "protobuf", "XXX_Unmarshal": "protobuf",
	"XXX_Size": "protobuf", "MarshalToSizedBuffer": "protobuf", "MarshalEasyJSON": "json", "UnmarshalEasyJSON": "json",
	"MarshalMsg": "msgpack", "UnmarshalMsg": "msgpack", "EncodeMsg": "msgpack", "DecodeMsg": "msgpack",
	"MarshalJSONObject": "json", "UnmarshalJSONObject": "json", "CodecEncodeSelf": "msgpack", "CodecDecodeSelf": "msgpack",
	"AppendJSON": "json", "DecodeJSON": "json", "AppendZMY": "zmy", "AppendZMYOptions": "zmy", "UnmarshalZMY": "zmy",
	"UnmarshalZMYOptions": "zmy",
}

// generatedFiles are the ends of the names of files that generators of codecs write.
var generatedFiles = []string{".pb.go", "_vtproto.pb.go", "_easyjson.go", "_ffjson.go", "_gen.go", "_json.go", ".pb.gw.go"}

// hooks are the methods by which a type marshals itself. A codec calls them.
var hooks = map[string]bool{
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalJSONTo": true, "UnmarshalJSONFrom": true, "MarshalText": true, "UnmarshalText": true,
	"AppendText": true, "MarshalBinary": true, "UnmarshalBinary": true, "AppendBinary": true, "GobEncode": true, "GobDecode": true,
	"MarshalXML": true, "UnmarshalXML": true, "MarshalYAML": true, "UnmarshalYAML": true, "EncodeMsgpack": true, "DecodeMsgpack": true,
	"MarshalCBOR": true, "UnmarshalCBOR": true, "MarshalBSON": true, "UnmarshalBSON": true, "MarshalBSONValue": true,
	"UnmarshalBSONValue": true,
}

// streams are the methods by which a codec reads its input from a stream, or writes its output to one.
// Another codec would call them as well.
var streams = map[string]bool{
	"Read": true, "ReadByte": true, "ReadRune": true, "ReadFrom": true, "ReadString": true, "ReadAll": true, "Write": true, "WriteByte": true,
	"WriteString": true, "WriteTo": true, "WriteHeader": true, "WriteHeaderNow": true, "Flush": true,
}

// codecOf returns the format of the codec that a frame belongs to, or "". Modules of protobuf also have
// functions that do not convert anything: getters, Clone, Equal. Of these modules, only functions count
// whose names say that they do.
func codecOf(f Frame) string {
	path := pkgOf(f.Func)
	if path == runtimePath {
		return "zmy"
	}
	for _, c := range codecs {
		if !under(path, c.path) {
			continue
		}
		if base := baseOf(f.Func); c.format == "protobuf" && !strings.Contains(base, "arshal") && !strings.Contains(base, "Size") {
			return ""
		}
		return c.format
	}
	return generated[baseOf(f.Func)]
}

// writtenByGenerator reports whether the file of a frame was written by a generator of codecs.
func writtenByGenerator(f Frame) bool {
	for _, end := range generatedFiles {
		if strings.HasSuffix(f.File, end) {
			return true
		}
	}
	return false
}

// streaming reports whether a frame reads or writes a stream outside of memory.
func streaming(f Frame) bool {
	switch pkgOf(f.Func) {
	case "bytes", "strings", "bufio", "io": // bufio and io call the stream, which is a frame further inside
		return false
	}
	return streams[baseOf(f.Func)] && codecOf(f) == ""
}

// Collector and allocator. Names of functions of package runtime begin with these.
var (
	collectors = []string{"_GC", "gcBgMarkWorker", "gcAssistAlloc", "bgsweep", "bgscavenge", "gcStart", "gcDrain", "gcMark", "gcSweep",
		"deductSweepCredit", "gcWriteBarrier", "wbBufFlush", "gcParkAssist", "sweepone", "scavengeOne"}
	allocators = []string{"mallocgc", "newobject", "growslice", "makeslice", "rawbyteslice", "rawstring", "concatstring", "makemap",
		"newarray", "reflect_unsafe_New"}
)

// runtimeName returns the name of a function of package runtime, or "".
func runtimeName(fn string) string {
	name, ok := strings.CutPrefix(fn, "runtime.")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "(*mheap)."), "(*mcache).")
}

func beginsWith(name string, all []string) bool {
	if name == "" {
		return false
	}
	for _, begin := range all {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

func collecting(fn string) bool { return beginsWith(runtimeName(fn), collectors) }
func allocating(fn string) bool { return beginsWith(runtimeName(fn), allocators) }
