package stats

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// adoption is how a program takes up a codec.
type adoption struct {
	generate  string // the go:generate line; TYPE stands for the subject
	derive    string // the same for a type without struct tags of this codec
	imports   string
	marshal   string // what json.Marshal(v) becomes
	unmarshal string // what json.Unmarshal(b, &v) becomes
}

// adoptions says it for the codecs whose import path alone does not.
var adoptions = map[string]adoption{
	"zmy": {"zmy gen -type=TYPE", "zmy gen -derive -type=TYPE", "github.com/zmylab/zmy", "zmy.Marshal(v)", "zmy.Unmarshal(b, &v)"},

	"fxjson":     {"fxjson -type=TYPE", "", "github.com/zmylab/zmy/fxjson", "fxjson.Marshal(v)", "fxjson.Unmarshal(b, &v)"},
	"easyjson":   {"easyjson -all $GOFILE", "", "github.com/mailru/easyjson", "easyjson.Marshal(v)", "easyjson.Unmarshal(b, &v)"},
	"goccy":      {"", "", "github.com/goccy/go-json", "json.Marshal(v)", "json.Unmarshal(b, &v)"},
	"sonic":      {"", "", "github.com/bytedance/sonic", "sonic.ConfigStd.Marshal(v)", "sonic.ConfigStd.Unmarshal(b, &v)"},
	"jsoniter":   {"", "", "github.com/json-iterator/go", "jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(v)", "jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(b, &v)"},
	"segmentio":  {"", "", "github.com/segmentio/encoding/json", "json.Marshal(v)", "json.Unmarshal(b, &v)"},
	"gob":        {"", "", "encoding/gob", "gob.NewEncoder(w).Encode(v)", "gob.NewDecoder(r).Decode(&v)"},
	"msgp":       {"msgp", "", "github.com/tinylib/msgp/msgp", "v.MarshalMsg(nil)", "v.UnmarshalMsg(b)"},
	"msgpack":    {"", "", "github.com/vmihailenco/msgpack/v5", "msgpack.Marshal(v)", "msgpack.Unmarshal(b, &v)"},
	"shamaton":   {"", "", "github.com/shamaton/msgpack/v2", "msgpack.Marshal(v)", "msgpack.Unmarshal(b, &v)"},
	"cbor":       {"", "", "github.com/fxamacker/cbor/v2", "cbor.Marshal(v)", "cbor.Unmarshal(b, &v)"},
	"protobuf":   {"", "", "google.golang.org/protobuf/proto", "proto.Marshal(m)", "proto.Unmarshal(b, m)"},
	"vtprotobuf": {"", "", "github.com/planetscale/vtprotobuf", "m.MarshalVT()", "m.UnmarshalVT(b)"},
}

// next says how the subject's program takes up codec. The baseline needs no
// step; a codec not in the table gets its modules to require.
func next(r *run.Run, codec string) []string {
	if codec == "" || codec == run.Baseline {
		return nil
	}
	a, ok := adoptions[codec]
	if !ok {
		var out []string
		if c := Contender(r, codec); c != nil {
			for _, m := range c.Modules {
				out = append(out, fmt.Sprintf("%s: go get %s@%s", codec, m.Path, m.Version))
			}
		}
		return out
	}
	var out []string
	generate := a.generate
	if r.Subject.Derived && a.derive != "" {
		generate = a.derive
	}
	if generate != "" {
		line := "//go:generate " + strings.ReplaceAll(generate, "TYPE", r.Subject.Type)
		out = append(out, fmt.Sprintf("%s: %s", codec, line))
	}
	if a.marshal == "json.Marshal(v)" {
		return append(out, fmt.Sprintf("%s: import %q in place of \"encoding/json\"; the calls stay", codec, a.imports))
	}
	return append(out, fmt.Sprintf("%s: import %q; json.Marshal(v) → %s; json.Unmarshal(b, &v) → %s", codec, a.imports, a.marshal, a.unmarshal))
}
