module github.com/zmylab/zmy/adapters/zstdx

go 1.26.0

require (
	github.com/klauspost/compress v1.20.3
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/zmylab/zmy v0.0.0
)

replace github.com/zmylab/zmy => ../..
