// Package loadpb has the messages of package msg as protobuf, with the methods of vtprotobuf in
// addition to those of protoc-gen-go.
package loadpb

//go:generate go run generate.go
