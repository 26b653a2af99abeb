module github.com/zmylab/zmy/adapters/msgpackx

go 1.26.0

require (
	github.com/vmihailenco/msgpack/v5 v5.4.1
	github.com/zmylab/zmy v0.0.0
)

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect

replace github.com/zmylab/zmy => ../..
