// Package table lists every contender that the lab knows, in the order in which they are built and
// shown: the baseline first, then codecs that build fast. A test fails if a folder of
// lab/contender/codecs is not listed.
package table

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/avro"
	"github.com/zmylab/zmy/lab/contender/codecs/bebop"
	"github.com/zmylab/zmy/lab/contender/codecs/benc"
	"github.com/zmylab/zmy/lab/contender/codecs/capnp"
	"github.com/zmylab/zmy/lab/contender/codecs/cbor"
	"github.com/zmylab/zmy/lab/contender/codecs/easyjson"
	"github.com/zmylab/zmy/lab/contender/codecs/fastjson"
	"github.com/zmylab/zmy/lab/contender/codecs/ffjson"
	"github.com/zmylab/zmy/lab/contender/codecs/flatbuffers"
	"github.com/zmylab/zmy/lab/contender/codecs/floor"
	"github.com/zmylab/zmy/lab/contender/codecs/fory"
	"github.com/zmylab/zmy/lab/contender/codecs/fxjson"
	"github.com/zmylab/zmy/lab/contender/codecs/fxproto"
	"github.com/zmylab/zmy/lab/contender/codecs/gob"
	gobstream "github.com/zmylab/zmy/lab/contender/codecs/gob-stream"
	"github.com/zmylab/zmy/lab/contender/codecs/goccy"
	"github.com/zmylab/zmy/lab/contender/codecs/gogoproto"
	"github.com/zmylab/zmy/lab/contender/codecs/hyperpb"
	jsonv2 "github.com/zmylab/zmy/lab/contender/codecs/json-v2"
	jsonv2default "github.com/zmylab/zmy/lab/contender/codecs/json-v2-default"
	jsonv2go127 "github.com/zmylab/zmy/lab/contender/codecs/json-v2-go127"
	jsonv2std "github.com/zmylab/zmy/lab/contender/codecs/json-v2-std"
	"github.com/zmylab/zmy/lab/contender/codecs/jsoniter"
	"github.com/zmylab/zmy/lab/contender/codecs/msgp"
	"github.com/zmylab/zmy/lab/contender/codecs/msgpack"
	msgpackarray "github.com/zmylab/zmy/lab/contender/codecs/msgpack-array"
	"github.com/zmylab/zmy/lab/contender/codecs/mus"
	"github.com/zmylab/zmy/lab/contender/codecs/protobuf"
	protobuflite "github.com/zmylab/zmy/lab/contender/codecs/protobuf-lite"
	rawjson "github.com/zmylab/zmy/lab/contender/codecs/raw-json"
	"github.com/zmylab/zmy/lab/contender/codecs/segmentio"
	"github.com/zmylab/zmy/lab/contender/codecs/shamaton"
	shamatonarray "github.com/zmylab/zmy/lab/contender/codecs/shamaton-array"
	"github.com/zmylab/zmy/lab/contender/codecs/sonic"
	stdjson "github.com/zmylab/zmy/lab/contender/codecs/std-json"
	"github.com/zmylab/zmy/lab/contender/codecs/vtprotobuf"
	"github.com/zmylab/zmy/lab/contender/codecs/zmy"
)

// All returns all contenders.
func All() []contender.Info {
	return append(Reflective(),
		easyjson.Info,
		msgp.Info,
		protobuf.Info, protobuf.NativeInfo,
		vtprotobuf.Info, vtprotobuf.NativeInfo,
		gogoproto.Info, gogoproto.NativeInfo,
		protobuflite.Info, protobuflite.NativeInfo,
		hyperpb.NativeInfo,
		fxjson.Info,
		fxproto.Info,
		zmy.Info,
		mus.Info,
		benc.Info,
		avro.Info,
		msgpackarray.Info,
		shamatonarray.Info,
		ffjson.Info,
		flatbuffers.Info, flatbuffers.NativeInfo,
		capnp.Info, capnp.NativeInfo,
		floor.MemcpyInfo, floor.SlabInfo,
		fastjson.Info,
		rawjson.Info,
		jsonv2std.Info,
		jsonv2default.Info,
		jsonv2go127.Info,
		fory.Info,
		bebop.Info,
	)
}

// Reflective returns the codecs that work on any type without generated code.
func Reflective() []contender.Info {
	return []contender.Info{
		stdjson.Info,
		goccy.Info,
		jsoniter.Info,
		sonic.Info,
		segmentio.Info,
		jsonv2.Info,
		gob.Info,
		gobstream.Info,
		msgpack.Info,
		shamaton.Info,
		cbor.Info,
	}
}
