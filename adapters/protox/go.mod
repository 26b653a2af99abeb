module github.com/zmylab/zmy/adapters/protox

go 1.26.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/zmylab/zmy v0.0.0
	google.golang.org/protobuf v1.36.12
)

require golang.org/x/sync v0.8.0 // indirect

replace github.com/zmylab/zmy => ../..
