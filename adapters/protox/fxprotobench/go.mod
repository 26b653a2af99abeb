// Not released: a benchmark.
module github.com/zmylab/zmy/adapters/protox/fxprotobench

go 1.26.0

require (
	buf.build/go/hyperpb v0.1.3
	github.com/planetscale/vtprotobuf v0.6.0
	github.com/zmylab/zmy v0.0.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/stretchr/testify v1.10.0 // indirect
	github.com/timandy/routine v1.1.5 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/zmylab/zmy => ../../..
