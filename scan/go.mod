module github.com/zmylab/zmy/scan

go 1.26.0

require (
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/rogpeppe/go-internal v1.14.1
	github.com/zmylab/zmy v0.0.0
	github.com/zmylab/zmy/gen v0.0.0
	github.com/zmylab/zmy/lab v0.0.0
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/bufbuild/protocompile v0.14.1 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/planetscale/vtprotobuf v0.6.0 // indirect
	github.com/tinylib/msgp v1.6.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	github.com/zmylab/zmy => ../
	github.com/zmylab/zmy/gen => ../gen
	github.com/zmylab/zmy/lab => ../lab
)
