//go:build ignore

// Package generate runs gogo/protobuf's generator as protoc-gen-gogofaster does. It runs in a
// program of its own, since the generator ends the process if it fails.
package generate

import (
	_ "embed"
	"os"

	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/protoc-gen-gogo/descriptor"
	plugin "github.com/gogo/protobuf/protoc-gen-gogo/plugin"
	"github.com/gogo/protobuf/vanity"
	"github.com/gogo/protobuf/vanity/command"
)

//go:embed schema.bin
var schema []byte

// Run writes the generated code of the schema to the file.
func Run(file string) {
	fd := new(descriptor.FileDescriptorProto)
	check(proto.Unmarshal(schema, fd))
	files := []*descriptor.FileDescriptorProto{fd}
	vanity.ForEachFile(files, vanity.TurnOnMarshalerAll)
	vanity.ForEachFile(files, vanity.TurnOnSizerAll)
	vanity.ForEachFile(files, vanity.TurnOnUnmarshalerAll)
	vanity.ForEachFile(files, vanity.TurnOffGoUnrecognizedAll)
	vanity.ForEachFile(files, vanity.TurnOffGoUnkeyedAll)
	vanity.ForEachFile(files, vanity.TurnOffGoSizecacheAll)
	res := command.Generate(&plugin.CodeGeneratorRequest{FileToGenerate: []string{fd.GetName()}, ProtoFile: files})
	check(os.WriteFile(file, []byte(res.File[0].GetContent()), 0o600))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
