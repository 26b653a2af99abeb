module realtypes.invalid/otlp

go 1.26.0

require go.opentelemetry.io/proto/otlp v1.11.1

require google.golang.org/protobuf v1.36.12 // indirect
