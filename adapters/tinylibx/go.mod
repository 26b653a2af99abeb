module github.com/zmylab/zmy/adapters/tinylibx

go 1.26.0

require (
	github.com/tinylib/msgp v1.6.5
	github.com/zmylab/zmy v0.0.0
)

require github.com/philhofer/fwd v1.2.0 // indirect

replace github.com/zmylab/zmy => ../..
