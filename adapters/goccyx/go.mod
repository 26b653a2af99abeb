module github.com/zmylab/zmy/adapters/goccyx

go 1.26.0

require (
	github.com/goccy/go-json v0.12.0
	github.com/zmylab/zmy v0.0.0
)

replace github.com/zmylab/zmy => ../..
