module example.org/oracle

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	github.com/zmylab/zmy v0.0.0
)

require golang.org/x/text v0.14.0 // indirect

replace github.com/zmylab/zmy => CORE
