package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"

	gogo "github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/protoc-gen-gogo/descriptor"
	plugin "github.com/gogo/protobuf/protoc-gen-gogo/plugin"
	"github.com/gogo/protobuf/vanity"
	"github.com/gogo/protobuf/vanity/command"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

// optionsFile declares gogo/protobuf's options, as schemas import it.
const optionsFile = "gogoproto/gogo.proto"

// options returns the path of optionsFile in the module of gogo/protobuf.
func options(ctx context.Context) (string, error) {
	dir, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/gogo/protobuf").Output()
	return filepath.Join(strings.TrimSpace(string(dir)), "gogoproto", "gogo.proto"), err
}

// gogofaster does what protoc-gen-gogofaster does. It cannot call that program's code, which is in
// package main.
func gogofaster(q *pluginpb.CodeGeneratorRequest) ([]byte, error) {
	// Use gogo/protobuf's own versions of Google's well-known types, as its README says.
	for _, name := range []string{"duration", "timestamp", "wrappers"} {
		*q.Parameter += ",Mgoogle/protobuf/" + name + ".proto=github.com/gogo/protobuf/types"
	}
	text, err := proto.Marshal(q)
	if err != nil {
		return nil, err
	}
	req := new(plugin.CodeGeneratorRequest)
	if err := gogo.Unmarshal(text, req); err != nil {
		return nil, err
	}
	files := vanity.FilterFiles(req.GetProtoFile(), vanity.NotGoogleProtobufDescriptorProto)
	for _, turn := range []func(*descriptor.FileDescriptorProto){vanity.TurnOnMarshalerAll, vanity.TurnOnSizerAll,
		vanity.TurnOnUnmarshalerAll,
		vanity.TurnOffGoUnrecognizedAll, vanity.TurnOffGoUnkeyedAll, vanity.TurnOffGoSizecacheAll} {
		vanity.ForEachFile(files, turn)
	}
	res := command.Generate(req)
	if res.Error != nil {
		return nil, errors.New(res.GetError())
	}
	return []byte(res.File[0].GetContent()), nil
}
