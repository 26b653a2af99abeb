// Package describe answers gRPC's reflection for services of plain structs, so that grpcurl and other
// clients call them without a .proto file. Descriptors are made of the interface of the service and of
// the struct tags of its messages.
//
//	var services describe.Services
//	RegisterOrders(services.Registrar(server), impl)
//	if err := services.Serve(server); err != nil {
//
// The server needs the codec of grpcx.Proto. Services that protoc-gen-go-grpc has generated are
// answered for too.
//
// NOTE, the map of the package:
//
//	describe.go   the services of a server
//	file.go       from services to a file
//	message.go    from structs to messages
package describe

import (
	"fmt"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"
	v1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	v1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Services are the services that are described. The zero value has none. It is safe for concurrent
// use.
type Services struct {
	mu    sync.Mutex
	descs []*grpc.ServiceDesc
}

// Registrar returns a registrar that notes each service and passes it on to r.
func (s *Services) Registrar(r grpc.ServiceRegistrar) grpc.ServiceRegistrar { return registrar{s, r} }

type registrar struct {
	services *Services
	next     grpc.ServiceRegistrar
}

func (r registrar) RegisterService(d *grpc.ServiceDesc, impl any) {
	r.services.mu.Lock()
	r.services.descs = append(r.services.descs, d)
	r.services.mu.Unlock()
	r.next.RegisterService(d, impl)
}

// Serve registers gRPC's reflection, versions v1 and v1alpha, with the server. Call it after all
// services are registered, and before the server serves. It returns an error if a service cannot be
// described.
func (s *Services) Serve(server *grpc.Server) error {
	files, err := s.Files()
	if err != nil {
		return err
	}
	o := reflection.ServerOptions{Services: server, DescriptorResolver: resolver{files}}
	v1.RegisterServerReflectionServer(server, reflection.NewServerV1(o))
	v1alpha.RegisterServerReflectionServer(server, reflection.NewServer(o))
	return nil
}

// Files returns the descriptors of the services: a file for each package that has some. Services that
// have a descriptor in protoregistry.GlobalFiles are left out.
func (s *Services) Files() (*protoregistry.Files, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	packages := map[string][]*grpc.ServiceDesc{}
	var order []string
	for _, d := range s.descs {
		if _, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(d.ServiceName)); err == nil {
			continue
		}
		pkg := d.ServiceName[:max(0, strings.LastIndexByte(d.ServiceName, '.'))]
		if packages[pkg] == nil {
			order = append(order, pkg)
		}
		packages[pkg] = append(packages[pkg], d)
	}
	out := &protoregistry.Files{}
	for _, pkg := range order {
		d, err := File(pkg, packages[pkg]...)
		if err != nil {
			return nil, err
		}
		f, err := protodesc.NewFile(d, resolver{out})
		if err == nil {
			err = out.RegisterFile(f)
		}
		if err != nil {
			return nil, fmt.Errorf("describe: package %s: %w", pkg, err)
		}
	}
	return out, nil
}

// resolver finds descriptors in own files, and in those of the program.
type resolver struct{ own *protoregistry.Files }

func (r resolver) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if f, err := r.own.FindFileByPath(path); err == nil {
		return f, nil
	}
	return protoregistry.GlobalFiles.FindFileByPath(path)
}

func (r resolver) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if d, err := r.own.FindDescriptorByName(name); err == nil {
		return d, nil
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}

// File returns the descriptor of the package pkg with services, whose names must be in the package,
// and with all messages that they reach. It has the syntax proto3 or, for groups and strings that are
// not checked, edition 2023.
func File(pkg string, services ...*grpc.ServiceDesc) (*descriptorpb.FileDescriptorProto, error) {
	b := newBuilder(pkg)
	for _, s := range services {
		if err := b.service(s); err != nil {
			return nil, fmt.Errorf("describe: service %s: %w", s.ServiceName, err)
		}
	}
	return b.finish(), nil
}
