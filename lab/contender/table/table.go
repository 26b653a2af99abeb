// Package table lists every contender that the lab knows, in the order in which
// they are built and shown: the baseline first, then what builds fast.
package table

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/avro"
	"github.com/zmylab/zmy/lab/contender/benc"
	"github.com/zmylab/zmy/lab/contender/capnp"
	"github.com/zmylab/zmy/lab/contender/easyjson"
	"github.com/zmylab/zmy/lab/contender/ffjson"
	"github.com/zmylab/zmy/lab/contender/flatbuffers"
	"github.com/zmylab/zmy/lab/contender/floor"
	"github.com/zmylab/zmy/lab/contender/fxjson"
	"github.com/zmylab/zmy/lab/contender/msgp"
	"github.com/zmylab/zmy/lab/contender/mus"
	"github.com/zmylab/zmy/lab/contender/protobuf"
	"github.com/zmylab/zmy/lab/contender/zmy"
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
