module github.com/zmylab/zmy/adapters/jsoniterx

go 1.26.0

require (
	github.com/json-iterator/go v1.1.12
	github.com/zmylab/zmy v0.0.0
)

require (
	github.com/modern-go/concurrent v0.0.0-20180228061459-e0a39a4cb421 // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
)

replace github.com/zmylab/zmy => ../..
