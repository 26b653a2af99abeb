module github.com/zmylab/zmy/adapters/cborx

go 1.26.0

require (
	github.com/fxamacker/cbor/v2 v2.10.0
	github.com/zmylab/zmy v0.0.0
)

require github.com/x448/float16 v0.8.4 // indirect

replace github.com/zmylab/zmy => ../..
