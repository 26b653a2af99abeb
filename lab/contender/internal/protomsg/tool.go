package protomsg

import (
	"context"
	"fmt"
	"io/fs"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// RunTool runs a generator in a program of its own and returns the file that it writes. The
// generator's source is the folder generate of texts; it reads the schema's descriptors from
// schema.bin. Its function Run writes the file.
func (t *Task) RunTool(ctx context.Context, texts fs.FS, file string) (map[string][]byte, error) {
	desc, err := pb.Marshal(protodesc.ToFileDescriptorProto(t.Compiled.File.Desc))
	if err != nil {
		return nil, err
	}
	return gosrc.RunGenerator(ctx, t.tools, t.own, texts, &contender.Sources{
		Module: map[string][]byte{"generate/schema.bin": desc},
		Main:   fmt.Sprintf("zzgenerate.Run(%q)", file),
	})
}
