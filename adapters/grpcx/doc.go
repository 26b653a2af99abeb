// Package grpcx makes the codecs of this project usable with gRPC.
//
// [Codec] makes a gRPC codec of a codec.Codec, and [Register] registers it with gRPC. A client
// chooses the codec of a call by grpc.CallContentSubtype. The server answers in the codec of the
// request. A server serves all codecs that are registered in its program, including gRPC's own
// protobuf codec, which stays unchanged unless [Proto] replaces it.
//
// NOTE, the map of the package:
//
//	codec.go register.go held.go   codecs, and messages read in place
//	proto.go                       protobuf on plain structs, under the name of gRPC's own codec
//	gate.go                        rejects calls in codecs that the server lacks
//	telemetry.go                   what is measured, and who is told
//	client.go                      the client's interceptors
//	registrar.go probe.go          measuring on the server
//	metrics.go                     counts and times by method and codec
//	degrader.go failure.go         which codec a call begins with (see package degrade)
//	local.go local_stream.go       calls within the process, without a codec
//	pool.go                        buffers for messages
//
// Package stub is what generated clients and servers call (zmy gen -grpc).
package grpcx
