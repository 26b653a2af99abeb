// Package grpcx runs the codecs of this project under gRPC.
//
// [Codec] makes a gRPC codec of a codec.Codec, [Register] makes gRPC know it. A
// client chooses a codec for each call by grpc.CallContentSubtype; a server
// answers in the codec that it was asked in, and serves as many as it has
// registered, protobuf among them, which stays as it is.
//
// NOTE, the map of the package:
//
//	codec.go register.go held.go   codecs, and messages read in place
//	gate.go                        refuses calls in codecs that the server lacks
//	telemetry.go                   what is measured, and who is told
//	client.go                      the client's interceptors
//	registrar.go probe.go          the server's side of measuring
//	metrics.go                     counts and times by method and codec
//	degrader.go failure.go         which codec a call begins with (see package degrade)
//	local.go                       calls within the process, without any codec
//
// Package stub is what generated clients and servers call (zmy gen -grpc).
package grpcx
