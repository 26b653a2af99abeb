package protobuf

import (
	"context"
	"fmt"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// runTool runs the generator in folder dir of texts, in a program of its own, on
// the schema's descriptors: its function Run writes one file of that name.
func (t *task) runTool(ctx context.Context, dir, file string) (map[string][]byte, error) {
	desc, err := pb.Marshal(protodesc.ToFileDescriptorProto(t.c.file.Desc))
	if err != nil {
		return nil, err
	}
	prog := &contender.Sources{
		Module:  map[string][]byte{"go.mod": t.own["go.mod"], "go.sum": t.own["go.sum"], dir + "/schema.bin": desc},
		Imports: []string{fmt.Sprintf("zzgenerate %q", contender.ModulePath+"/"+dir)},
		Main:    fmt.Sprintf("zzgenerate.Run(%q)", file),
	}
	if err := gosrc.Add(prog, texts, dir, dir); err != nil {
		return nil, err
	}
	out, err := t.tools.RunInPackage(ctx, prog)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{file: out[file]}, nil
}
