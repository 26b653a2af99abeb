// Package table lists every contender that the lab knows, in the order in which
// they are built and shown: the baseline first, then what builds fast.
package table

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/avro"
	"github.com/zmylab/zmy/lab/contender/codecs/benc"
	"github.com/zmylab/zmy/lab/contender/codecs/capnp"
	"github.com/zmylab/zmy/lab/contender/codecs/easyjson"
	"github.com/zmylab/zmy/lab/contender/codecs/ffjson"
	"github.com/zmylab/zmy/lab/contender/codecs/flatbuffers"
	"github.com/zmylab/zmy/lab/contender/codecs/floor"
	"github.com/zmylab/zmy/lab/contender/codecs/fxjson"
	"github.com/zmylab/zmy/lab/contender/codecs/msgp"
	"github.com/zmylab/zmy/lab/contender/codecs/mus"
	"github.com/zmylab/zmy/lab/contender/codecs/protobuf"
	"github.com/zmylab/zmy/lab/contender/codecs/zmy"
)

// All is the table.
func All() []contender.Info {
	all := append(contender.Reflective(),
		easyjson.Info,
		msgp.Info,
	)
	all = append(all, protobuf.Infos()...)
	all = append(all,
		fxjson.Info,
		zmy.Info,
		mus.Info,
		benc.Info,
		avro.Info,
		ffjson.Info,
		flatbuffers.Info, flatbuffers.NativeInfo,
		capnp.Info, capnp.NativeInfo,
		floor.MemcpyInfo, floor.SlabInfo,
	)
	all = append(all, contender.Documents()...)
	all = append(all, contender.Experimental()...)
	return append(all, contender.Unavailable()...)
}
