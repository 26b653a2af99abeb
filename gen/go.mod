module github.com/zmylab/zmy/gen

go 1.26.0

require golang.org/x/tools v0.52.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/zmylab/zmy v0.0.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace github.com/zmylab/zmy => ../
