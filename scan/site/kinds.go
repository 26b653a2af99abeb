package site

// NOTE: this file is a table; match.go looks calls up in it.
//
// A row names one import path and its functions. A function is spelled as in a call: "Marshal" for a
// function of the package, "Encoder.Encode" for a method of a pointer or a value, "API.Marshal" for a
// method of an interface. The number behind the colon is the index of the value among the arguments,
// without the receiver; "=N" says that the value is result number N; "r" that it is the receiver; "%N"
// that it is a pointer to type argument number N. "~" in place of the colon says that the function writes
// to an io.Writer, or reads from an io.Reader.

type row struct {
	codec, format, path string
	marshal, unmarshal  string // functions separated by blanks
}

var rows = []row{
	// JSON.
	{"std-json", "json", "encoding/json", "Marshal:0 MarshalIndent:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"json-v2-std", "json", "encoding/json/v2",
		"Marshal:0 MarshalWrite~1 MarshalEncode:1", "Unmarshal:1 UnmarshalRead~1 UnmarshalDecode:1"},
	{"json-v2", "json", "github.com/go-json-experiment/json", "Marshal:0 MarshalWrite~1 MarshalEncode:1",
		"Unmarshal:1 UnmarshalRead~1 UnmarshalDecode:1"},
	{"json-v2", "json", "github.com/go-json-experiment/json/v1",
		"Marshal:0 MarshalIndent:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"jsoniter", "json", "github.com/json-iterator/go",
		"Marshal:0 MarshalIndent:0 MarshalToString:0 Encoder.Encode~0 API.Marshal:0 API.MarshalIndent:0 API.MarshalToString:0 " +
			"Stream.WriteVal:0",
		"Unmarshal:1 UnmarshalFromString:1 Decoder.Decode~0 API.Unmarshal:1 API.UnmarshalFromString:1 Iterator.ReadVal:0"},
	{"goccy", "json", "github.com/goccy/go-json",
		"Marshal:0 MarshalContext:1 MarshalNoEscape:0 MarshalWithOption:0 MarshalIndent:0 MarshalIndentWithOption:0 " +
			"Encoder.Encode~0 Encoder.EncodeContext~1 Encoder.EncodeWithOption~0",
		"Unmarshal:1 UnmarshalContext:2 UnmarshalNoEscape:1 UnmarshalWithOption:1 Decoder.Decode~0 Decoder.DecodeContext~1 " +
			"Decoder.DecodeWithOption~0"},
	{"sonic", "json", "github.com/bytedance/sonic",
		"Marshal:0 MarshalIndent:0 MarshalString:0 API.Marshal:0 API.MarshalIndent:0 API.MarshalToString:0 Encoder.Encode~0",
		"Unmarshal:1 UnmarshalString:1 API.Unmarshal:1 API.UnmarshalFromString:1 Decoder.Decode~0"},
	{"sonic", "json", "github.com/bytedance/sonic/encoder",
		"Encode:0 EncodeIndented:0 EncodeInto:1 Encoder.Encode:0 StreamEncoder.Encode~0", ""},
	{"sonic", "json", "github.com/bytedance/sonic/decoder", "", "Decoder.Decode:0 StreamDecoder.Decode~0"},
	{"segmentio", "json", "github.com/segmentio/encoding/json", "Marshal:0 MarshalIndent:0 Append:1 Encoder.Encode~0",
		"Unmarshal:1 Parse:1 Decoder.Decode~0"},
	{"easyjson", "json", "github.com/mailru/easyjson",
		"Marshal:0 MarshalToWriter~0 MarshalToHTTPResponseWriter~0 Marshaler.MarshalEasyJSON:r",
		"Unmarshal:1 UnmarshalFromReader~1 Unmarshaler.UnmarshalEasyJSON:r"},
	{"ffjson", "json", "github.com/pquerna/ffjson/ffjson", "Marshal:0 MarshalFast:0 Encoder.Encode~0 Encoder.EncodeFast~0",
		"Unmarshal:1 UnmarshalFast:1 Decoder.Decode:1 Decoder.DecodeFast:1 Decoder.DecodeReader~1"},
	{"fxjson", "json", "github.com/zmylab/zmy/fxjson",
		"Marshal:0 MarshalIndent:0 Append:1 Encoder.Encode~0 MarshalOptions.Marshal:0 MarshalOptions.Append:1",
		"Unmarshal:1 Decoder.Decode~0 UnmarshalOptions.Unmarshal:1"},

	// Binary formats of Go.
	{"zmy", "zmy", "github.com/zmylab/zmy",
		"Marshal:0 Append:1 Seal:0 Send~1 MarshalOptions.Marshal:0 MarshalOptions.Append:1 SealOptions.Seal:0 Writer.Marshal:0 " +
			"Marshaler.AppendZMY:r",
		"Unmarshal:1 Unseal:1 Receive~1 UnmarshalOptions.Unmarshal:1 OpenOptions.Unseal:1 Reader.Unmarshal:0 Unmarshaler.UnmarshalZMY:r"},
	{"github.com/zmylab/zmy/codec/dual", "zmy", "github.com/zmylab/zmy/codec/dual",
		"Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"gob", "gob", "encoding/gob", "Encoder.Encode~0", "Decoder.Decode~0"},
	{"msgpack", "msgpack", "github.com/vmihailenco/msgpack", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"msgpack", "msgpack", "github.com/vmihailenco/msgpack/v4", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"msgpack", "msgpack", "github.com/vmihailenco/msgpack/v5", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"shamaton", "msgpack", "github.com/shamaton/msgpack/v2",
		"Marshal:0 MarshalAsMap:0 MarshalAsArray:0 MarshalWrite~1 MarshalWriteAsMap~1",
		"Unmarshal:1 UnmarshalAsMap:1 UnmarshalAsArray:1 UnmarshalRead~1 UnmarshalReadAsMap~1"},
	{"shamaton", "msgpack", "github.com/shamaton/msgpack/v3",
		"Marshal:0 MarshalAsMap:0 MarshalAsArray:0 MarshalWrite~1 MarshalWriteAsMap~1",
		"Unmarshal:1 UnmarshalAsMap:1 UnmarshalAsArray:1 UnmarshalRead~1 UnmarshalReadAsMap~1"},
	{"msgp", "msgpack", "github.com/tinylib/msgp/msgp",
		"Encode~1 AppendIntf:1 Marshaler.MarshalMsg:r Encodable.EncodeMsg~r Writer.WriteIntf~0",
		"Decode~1 Unmarshaler.UnmarshalMsg:r Decodable.DecodeMsg~r"},
	{"cbor", "cbor", "github.com/fxamacker/cbor/v2",
		"Marshal:0 MarshalToBuffer:0 Encoder.Encode~0 EncMode.Marshal:0 UserBufferEncMode.Marshal:0 UserBufferEncMode.MarshalToBuffer:0",
		"Unmarshal:1 UnmarshalFirst:1 Decoder.Decode~0 DecMode.Unmarshal:1 DecMode.UnmarshalFirst:1"},
	{"cbor", "cbor", "github.com/fxamacker/cbor", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"github.com/ugorji/go/codec", "binc", "github.com/ugorji/go/codec",
		"Encoder.Encode:0 Encoder.MustEncode:0", "Decoder.Decode:0 Decoder.MustDecode:0"},
	{"github.com/hashicorp/go-msgpack/codec", "msgpack", "github.com/hashicorp/go-msgpack/codec", "Encoder.Encode:0", "Decoder.Decode:0"},
	{"github.com/hashicorp/go-msgpack/v2/codec", "msgpack", "github.com/hashicorp/go-msgpack/v2/codec",
		"Encoder.Encode:0 Encoder.MustEncode:0",
		"Decoder.Decode:0 Decoder.MustDecode:0"},
	{"avro", "avro", "github.com/hamba/avro/v2",
		"Marshal:1 API.Marshal:1 Encoder.Encode~0", "Unmarshal:2 API.Unmarshal:2 Decoder.Decode~0"},

	// Protocol Buffers.
	{"protobuf", "protobuf", "google.golang.org/protobuf/proto", "Marshal:0 MarshalOptions.Marshal:0 MarshalOptions.MarshalAppend:1",
		"Unmarshal:1 UnmarshalOptions.Unmarshal:1"},
	{"protobuf", "protobuf", "google.golang.org/protobuf/encoding/protodelim",
		"MarshalTo~1 MarshalOptions.MarshalTo~1", "UnmarshalFrom~1 UnmarshalOptions.UnmarshalFrom~1"},
	{"google.golang.org/protobuf/encoding/protojson", "json", "google.golang.org/protobuf/encoding/protojson",
		"Marshal:0 Format:0 MarshalOptions.Marshal:0 MarshalOptions.MarshalAppend:1 MarshalOptions.Format:0",
		"Unmarshal:1 UnmarshalOptions.Unmarshal:1"},
	{"google.golang.org/protobuf/encoding/prototext", "prototext", "google.golang.org/protobuf/encoding/prototext",
		"Marshal:0 Format:0 MarshalOptions.Marshal:0 MarshalOptions.MarshalAppend:1 MarshalOptions.Format:0",
		"Unmarshal:1 UnmarshalOptions.Unmarshal:1"},
	{"protobuf", "protobuf", "google.golang.org/protobuf/types/known/anypb",
		"New:0 MarshalFrom:1 Any.MarshalFrom:0", "UnmarshalTo:1 Any.UnmarshalTo:0"},
	{"protobuf", "protobuf", "github.com/golang/protobuf/proto", "Marshal:0 Buffer.Marshal:0 Buffer.EncodeMessage:0",
		"Unmarshal:1 UnmarshalMerge:1 Buffer.Unmarshal:0 Buffer.DecodeMessage:0"},
	{"protobuf", "protobuf", "github.com/golang/protobuf/ptypes", "MarshalAny:0", "UnmarshalAny:1"},
	{"google.golang.org/protobuf/encoding/protojson", "json", "github.com/golang/protobuf/jsonpb",
		"Marshaler.Marshal~1 Marshaler.MarshalToString:0",
		"Unmarshal~1 UnmarshalString:1 UnmarshalNext:1 Unmarshaler.Unmarshal~1 Unmarshaler.UnmarshalNext:1"},
	{"gogoproto", "protobuf", "github.com/gogo/protobuf/proto", "Marshal:0 Buffer.Marshal:0 Buffer.EncodeMessage:0",
		"Unmarshal:1 UnmarshalMerge:1 Buffer.Unmarshal:0 Buffer.DecodeMessage:0"},
	{"github.com/gogo/protobuf/jsonpb", "json", "github.com/gogo/protobuf/jsonpb", "Marshaler.Marshal~1 Marshaler.MarshalToString:0",
		"Unmarshal~1 UnmarshalString:1 UnmarshalNext:1 Unmarshaler.Unmarshal~1 Unmarshaler.UnmarshalNext:1"},
	{"gogoproto", "protobuf", "github.com/gogo/protobuf/types", "MarshalAny:0", "UnmarshalAny:1"},
	{"github.com/gogo/protobuf/io", "protobuf", "github.com/gogo/protobuf/io", "Writer.WriteMsg~0", "Reader.ReadMsg~0"},

	// gRPC and connect: the codec is Protocol Buffers unless a program registers another one.
	{"protobuf", "protobuf", "google.golang.org/grpc",
		"ClientConnInterface.Invoke:2 ClientConn.Invoke:2 Invoke:2 ClientStream.SendMsg:0 ServerStream.SendMsg:0 Stream.SendMsg:0 " +
			"PreparedMsg.Encode:1 " +
			"ServerStreamingServer.Send:0 BidiStreamingServer.Send:0 ClientStreamingServer.SendAndClose:0 " +
			"ClientStreamingClient.Send:0 BidiStreamingClient.Send:0 " +
			"GenericServerStream.Send:0 GenericServerStream.SendAndClose:0 GenericClientStream.Send:0",
		"ClientConnInterface.Invoke:3 ClientConn.Invoke:3 Invoke:3 ClientStream.RecvMsg:0 ServerStream.RecvMsg:0 Stream.RecvMsg:0 " +
			"ServerStreamingClient.Recv=0 BidiStreamingClient.Recv=0 ClientStreamingClient.CloseAndRecv=0 " +
			"ClientStreamingServer.Recv=0 BidiStreamingServer.Recv=0 " +
			"GenericServerStream.Recv=0 GenericClientStream.Recv=0 GenericClientStream.CloseAndRecv=0"},
	// A handler of connect is registered with a function, and decodes and encodes for it.
	{"protobuf", "protobuf", "connectrpc.com/connect",
		"NewUnaryHandler%1 NewUnaryHandlerSimple%1 NewClientStreamHandler%1 NewClientStreamHandlerSimple%1 " +
			"Client.CallUnary:1 Client.CallServerStream:1 ServerStream.Send:0 ClientStreamForClient.Send:0 BidiStream.Send:0 " +
			"BidiStreamForClient.Send:0",
		"NewUnaryHandler%0 NewUnaryHandlerSimple%0 NewServerStreamHandler%0 NewServerStreamHandlerSimple%0 " +
			"Client.CallUnary=0 ClientStreamForClient.CloseAndReceive=0 ServerStreamForClient.Msg=0 ClientStream.Msg=0 " +
			"BidiStream.Receive=0 BidiStreamForClient.Receive=0"},

	// XML, YAML, BSON, TOML.
	{"encoding/xml", "xml", "encoding/xml",
		"Marshal:0 MarshalIndent:0 Encoder.Encode~0 Encoder.EncodeElement~0", "Unmarshal:1 Decoder.Decode~0 Decoder.DecodeElement~0"},
	{"gopkg.in/yaml.v2", "yaml", "gopkg.in/yaml.v2", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 UnmarshalStrict:1 Decoder.Decode~0"},
	{"gopkg.in/yaml.v3", "yaml", "gopkg.in/yaml.v3",
		"Marshal:0 Encoder.Encode~0 Node.Encode:0", "Unmarshal:1 Decoder.Decode~0 Node.Decode:0"},
	{"go.yaml.in/yaml/v2", "yaml", "go.yaml.in/yaml/v2", "Marshal:0 Encoder.Encode~0", "Unmarshal:1 UnmarshalStrict:1 Decoder.Decode~0"},
	{"go.yaml.in/yaml/v3", "yaml", "go.yaml.in/yaml/v3",
		"Marshal:0 Encoder.Encode~0 Node.Encode:0", "Unmarshal:1 Decoder.Decode~0 Node.Decode:0"},
	{"go.yaml.in/yaml/v4", "yaml", "go.yaml.in/yaml/v4", "Marshal:0 Dump:0 Encoder.Encode~0 Dumper.Dump:0 Node.Encode:0 Node.Dump:0",
		"Unmarshal:1 Load:1 Decoder.Decode~0 Loader.Load:0 Node.Decode:0 Node.Load:0"},
	{"github.com/goccy/go-yaml", "yaml", "github.com/goccy/go-yaml",
		"Marshal:0 MarshalContext:1 MarshalWithOptions:0 Encoder.Encode~0 Encoder.EncodeContext~1",
		"Unmarshal:1 UnmarshalContext:2 UnmarshalWithOptions:1 Decoder.Decode~0 Decoder.DecodeContext~1"},
	{"github.com/ghodss/yaml", "yaml", "github.com/ghodss/yaml", "Marshal:0", "Unmarshal:1"},
	{"sigs.k8s.io/yaml", "yaml", "sigs.k8s.io/yaml", "Marshal:0", "Unmarshal:1 UnmarshalStrict:1"},
	{"sigs.k8s.io/json", "json", "sigs.k8s.io/json", "", "UnmarshalCaseSensitivePreserveInts:1 UnmarshalStrict:1 Decoder.Decode~0"},
	{"github.com/BurntSushi/toml", "toml", "github.com/BurntSushi/toml",
		"Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decode:1 DecodeFile:1 DecodeFS:2 Decoder.Decode~0"},
	{"github.com/pelletier/go-toml/v2", "toml", "github.com/pelletier/go-toml/v2",
		"Marshal:0 Encoder.Encode~0", "Unmarshal:1 Decoder.Decode~0"},
	{"go.mongodb.org/mongo-driver/bson", "bson", "go.mongodb.org/mongo-driver/bson",
		"Marshal:0 MarshalAppend:1 MarshalWithRegistry:1 MarshalExtJSON:0 Encoder.Encode:0",
		"Unmarshal:1 UnmarshalWithRegistry:2 UnmarshalExtJSON:2 Decoder.Decode:0"},
	{"go.mongodb.org/mongo-driver/v2/bson", "bson", "go.mongodb.org/mongo-driver/v2/bson",
		"Marshal:0 MarshalExtJSON:0 Encoder.Encode:0", "Unmarshal:1 UnmarshalExtJSON:2 Decoder.Decode:0"},

	// Web frameworks: their codec is encoding/json unless a program is built or configured otherwise.
	{"std-json", "json", "github.com/gin-gonic/gin",
		"Context.JSON:1 Context.IndentedJSON:1 Context.SecureJSON:1 Context.JSONP:1 Context.AsciiJSON:1 Context.PureJSON~1 " +
			"Context.AbortWithStatusJSON:1 Context.AbortWithStatusPureJSON~1",
		"Context.BindJSON~0 Context.ShouldBindJSON~0 Context.Bind~0 Context.ShouldBind~0 Context.BindWith~0 Context.MustBindWith~0 " +
			"Context.ShouldBindWith~0 Context.ShouldBindBodyWith~0 Context.ShouldBindBodyWithJSON~0"},
	{"encoding/xml", "xml", "github.com/gin-gonic/gin",
		"Context.XML:1", "Context.BindXML:0 Context.ShouldBindXML:0 Context.ShouldBindBodyWithXML:0"},
	{"github.com/goccy/go-yaml", "yaml", "github.com/gin-gonic/gin",
		"Context.YAML:1", "Context.BindYAML:0 Context.ShouldBindYAML:0 Context.ShouldBindBodyWithYAML:0"},
	{"protobuf", "protobuf", "github.com/gin-gonic/gin", "Context.ProtoBuf:1", ""},
	{"std-json", "json", "github.com/labstack/echo/v4", "Context.JSON~1 Context.JSONPretty~1 Context.JSONP~2 JSONSerializer.Serialize~1",
		"Context.Bind~0 Binder.Bind~0 DefaultBinder.Bind~0 DefaultBinder.BindBody~1 JSONSerializer.Deserialize~1"},
	{"encoding/xml", "xml", "github.com/labstack/echo/v4", "Context.XML~1 Context.XMLPretty~1", ""},
	{"std-json", "json", "github.com/labstack/echo/v5", "Context.JSON~1 Context.JSONPretty~1 Context.JSONP~2 JSONSerializer.Serialize~1",
		"Context.Bind~0 Binder.Bind~1 DefaultBinder.Bind~1 BindBody~1 JSONSerializer.Deserialize~1"},
	{"encoding/xml", "xml", "github.com/labstack/echo/v5", "Context.XML~1 Context.XMLPretty~1", ""},
	{"std-json", "json", "github.com/gofiber/fiber/v2", "Ctx.JSON:0 Ctx.JSONP:0", "Ctx.BodyParser:0"},
	{"encoding/xml", "xml", "github.com/gofiber/fiber/v2", "Ctx.XML:0", ""},
	{"std-json", "json", "github.com/gofiber/fiber/v3", "Ctx.JSON:0 Ctx.JSONP:0 DefaultCtx.JSON:0", "Bind.JSON:0 Bind.Body:0"},
	{"encoding/xml", "xml", "github.com/gofiber/fiber/v3", "Ctx.XML:0 DefaultCtx.XML:0", "Bind.XML:0"},
	{"cbor", "cbor", "github.com/gofiber/fiber/v3", "Ctx.CBOR:0 DefaultCtx.CBOR:0", "Bind.CBOR:0"},
	{"msgpack", "msgpack", "github.com/gofiber/fiber/v3", "Ctx.MsgPack:0 DefaultCtx.MsgPack:0", "Bind.MsgPack:0"},
	{"std-json", "json", "github.com/go-chi/render",
		"JSON~2 Respond~2 DefaultResponder~2 Render~2", "DecodeJSON~1 Decode~1 DefaultDecoder~1 Bind~1"},
	{"encoding/xml", "xml", "github.com/go-chi/render", "XML:2", "DecodeXML~1"},
	{"std-json", "json", "github.com/unrolled/render", "Render.JSON~2", ""},
	{"encoding/xml", "xml", "github.com/unrolled/render", "Render.XML:2", ""},
	{"std-json", "json", "github.com/emicklei/go-restful/v3",
		"Response.WriteEntity:0 Response.WriteAsJson:0 Response.WriteJson:0 Response.WriteHeaderAndEntity:1 " +
			"Response.WriteHeaderAndJson:1",
		"Request.ReadEntity~0"},
	{"gob", "gob", "net/rpc", "Client.Call:1 Client.Go:1", "Client.Call:2 Client.Go:2"},
	{"std-json", "json", "k8s.io/apimachinery/pkg/runtime", "Encode~1 EncodeOrDie~1 Encoder.Encode~0", "DecodeInto:2"},
	{"std-json", "json", "k8s.io/apimachinery/pkg/util/json", "Marshal:0", "Unmarshal:1"},
}

// generated are methods that generators write for a type, or that a program writes by the same
// contract. They are known by their names and parameters; also has one more method that the type
// must have, if the name alone says too little.
type generated struct {
	codec, format string
	name          string // of the method
	params        string // types of its parameters, as go/types spells them with package paths
	also          string // a method that the type must have, too
	direction     Direction
}

var generatedMethods = []generated{
	{"easyjson", "json", "MarshalEasyJSON", "*github.com/mailru/easyjson/jwriter.Writer", "", Marshal},
	{"easyjson", "json", "UnmarshalEasyJSON", "*github.com/mailru/easyjson/jlexer.Lexer", "", Unmarshal},
	{"easyjson", "json", "MarshalJSON", "", "MarshalEasyJSON", Marshal},
	{"easyjson", "json", "UnmarshalJSON", "[]byte", "UnmarshalEasyJSON", Unmarshal},
	{"fxjson", "json", "AppendJSON", "[]byte", "JSONCode", Marshal},
	{"fxjson", "json", "MarshalJSON", "", "JSONCode", Marshal},
	{"fxjson", "json", "DecodeJSON", "[]byte", "JSONCode", Unmarshal},
	{"fxjson", "json", "UnmarshalJSON", "[]byte", "JSONCode", Unmarshal},
	{"zmy", "zmy", "AppendZMY", "[]byte", "", Marshal},
	{"zmy", "zmy", "AppendZMYOptions", "[]byte,github.com/zmylab/zmy.MarshalOptions", "", Marshal},
	{"zmy", "zmy", "UnmarshalZMY", "[]byte", "", Unmarshal},
	{"zmy", "zmy", "UnmarshalZMYOptions", "[]byte,github.com/zmylab/zmy.UnmarshalOptions", "", Unmarshal},
	{"msgp", "msgpack", "MarshalMsg", "[]byte", "", Marshal},
	{"msgp", "msgpack", "EncodeMsg", "*github.com/tinylib/msgp/msgp.Writer", "", Marshal},
	{"msgp", "msgpack", "UnmarshalMsg", "[]byte", "", Unmarshal},
	{"msgp", "msgpack", "DecodeMsg", "*github.com/tinylib/msgp/msgp.Reader", "", Unmarshal},
	{"vtprotobuf", "protobuf", "MarshalVT", "", "", Marshal},
	{"vtprotobuf", "protobuf", "MarshalVTStrict", "", "", Marshal},
	{"vtprotobuf", "protobuf", "MarshalToVT", "[]byte", "", Marshal},
	{"vtprotobuf", "protobuf", "MarshalToVTStrict", "[]byte", "", Marshal},
	{"vtprotobuf", "protobuf", "MarshalToSizedBufferVT", "[]byte", "", Marshal},
	{"vtprotobuf", "protobuf", "MarshalToSizedBufferVTStrict", "[]byte", "", Marshal},
	{"vtprotobuf", "protobuf", "SizeVT", "", "", Marshal},
	{"vtprotobuf", "protobuf", "UnmarshalVT", "[]byte", "", Unmarshal},
	{"vtprotobuf", "protobuf", "UnmarshalVTUnsafe", "[]byte", "", Unmarshal},
	{"gogoproto", "protobuf", "Marshal", "", "ProtoMessage", Marshal},
	{"gogoproto", "protobuf", "MarshalTo", "[]byte", "ProtoMessage", Marshal},
	{"gogoproto", "protobuf", "MarshalToSizedBuffer", "[]byte", "ProtoMessage", Marshal},
	{"gogoproto", "protobuf", "Size", "", "ProtoMessage", Marshal},
	{"gogoproto", "protobuf", "Unmarshal", "[]byte", "ProtoMessage", Unmarshal},
}
