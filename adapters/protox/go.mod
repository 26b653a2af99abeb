module github.com/zmylab/zmy/adapters/protox

go 1.26.0

require (
	github.com/zmylab/zmy v0.0.0
	google.golang.org/protobuf v1.36.12
)

replace github.com/zmylab/zmy => ../..
