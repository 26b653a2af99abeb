// Package benchpb has the messages of the examples order-lite and result as protobuf.
package benchpb

//go:generate go run generate.go
