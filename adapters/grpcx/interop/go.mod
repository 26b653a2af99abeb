// Not released: tests of grpcx with other implementations.
module github.com/zmylab/zmy/adapters/grpcx/interop

go 1.26.0

require (
	github.com/zmylab/zmy v0.0.0
	github.com/zmylab/zmy/adapters/grpcx v0.0.0
	github.com/zmylab/zmy/adapters/msgpackx v0.0.0
	github.com/zmylab/zmy/adapters/protox v0.0.0
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/stretchr/testify v1.11.1 // indirect
	github.com/vmihailenco/msgpack/v5 v5.4.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)

replace (
	github.com/zmylab/zmy => ../../..
	github.com/zmylab/zmy/adapters/grpcx => ..
	github.com/zmylab/zmy/adapters/msgpackx => ../../msgpackx
	github.com/zmylab/zmy/adapters/protox => ../../protox
)
