module github.com/zmylab/zmy/adapters/connectx

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/zmylab/zmy v0.0.0
	google.golang.org/protobuf v1.36.12
)

replace github.com/zmylab/zmy => ../..
