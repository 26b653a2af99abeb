module github.com/zmylab/zmy/cmd/zmy

go 1.26.0

require (
	github.com/prometheus/client_golang v1.25.0
	github.com/zmylab/zmy v0.0.0
	github.com/zmylab/zmy/adapters/cborx v0.0.0
	github.com/zmylab/zmy/adapters/grpcx/load v0.0.0
	github.com/zmylab/zmy/adapters/msgpackx v0.0.0
	github.com/zmylab/zmy/adapters/natsx v0.0.0
	github.com/zmylab/zmy/adapters/promx v0.0.0
	github.com/zmylab/zmy/adapters/zstdx v0.0.0
	github.com/zmylab/zmy/gen v0.0.0
	github.com/zmylab/zmy/lab v0.0.0
	github.com/zmylab/zmy/scan v0.0.0
	golang.org/x/term v0.47.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/bufbuild/protocompile v0.14.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/fxamacker/cbor/v2 v2.10.0 // indirect
	github.com/google/flatbuffers v25.12.19+incompatible // indirect
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/nats-io/nats.go v1.55.0 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/planetscale/vtprotobuf v0.6.1-0.20240319094008-0393e58bdf10 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/rogpeppe/go-internal v1.14.1 // indirect
	github.com/tinylib/msgp v1.6.5 // indirect
	github.com/vmihailenco/msgpack/v5 v5.4.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	github.com/zmylab/zmy/adapters/grpcx v0.0.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
	google.golang.org/grpc v1.85.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	gopkg.in/check.v1 v1.0.0-20201130134442-10cb98267c6c // indirect
)

replace (
	github.com/zmylab/zmy => ../../
	github.com/zmylab/zmy/adapters/cborx => ../../adapters/cborx
	github.com/zmylab/zmy/adapters/grpcx => ../../adapters/grpcx
	github.com/zmylab/zmy/adapters/grpcx/load => ../../adapters/grpcx/load
	github.com/zmylab/zmy/adapters/msgpackx => ../../adapters/msgpackx
	github.com/zmylab/zmy/adapters/natsx => ../../adapters/natsx
	github.com/zmylab/zmy/adapters/promx => ../../adapters/promx
	github.com/zmylab/zmy/adapters/zstdx => ../../adapters/zstdx
	github.com/zmylab/zmy/gen => ../../gen
	github.com/zmylab/zmy/lab => ../../lab
	github.com/zmylab/zmy/scan => ../../scan
)
