module github.com/zmylab/zmy/adapters/jsonv2x

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/zmylab/zmy v0.0.0
)

replace github.com/zmylab/zmy => ../..
