// Package fxprotobench has benchmarks of package fxproto beside google.golang.org/protobuf, vtprotobuf and
// hyperpb, and beside its own reflection. Conversion between own types and generated messages is not
// included.
//
//	go test -bench Beside -benchtime 40x              # ratios, by turns
//	go test -bench 'Append|Marshal|Unmarshal|Reuse' -benchmem
//	maint goals -file fxproto                         # the goals, in tools/goals/fxproto.yaml
//
// The messages of benchpb and poolpb are one schema, written by protoc-gen-go v1.36.12 and
// protoc-gen-go-vtproto v0.6.0 (--go-vtproto_opt):
//
//	benchpb: features=marshal+size+unmarshal
//	poolpb:  features=marshal+size+unmarshal+pool, with pool= for each message
package fxprotobench
