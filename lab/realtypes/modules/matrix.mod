module realtypes.invalid/matrix

go 1.26.0

require github.com/prometheus/common v0.73.1

require (
	github.com/prometheus/client_model v0.6.3 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
