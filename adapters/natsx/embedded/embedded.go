// Package embedded is a broker of package sse on a NATS server within the process, for a service of
// one process that keeps its events over restarts:
//
//	broker, err := embedded.Open(ctx, "events") // in the folder events; in memory if it is empty
//	hub, err := sse.Open(ctx, broker)
//
// The server has no port: only this process reaches it. It makes a program larger, by what a whole
// NATS server is; package natsx alone connects to servers and does not link one.
//
// With a folder, everything that Append has returned survives, also when the process is killed or
// the machine loses power, if the disk keeps what was synced: each append is one sync. In memory
// nothing does: the next process has another epoch, and clients are reset.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/zmylab/zmy/adapters/natsx"
)

// Broker is a [natsx.Broker] with its server.
type Broker struct {
	*natsx.Broker
	server  *server.Server
	scratch string // the server's folder, removed by Close, if the stream is in memory
}

// Open starts a server and opens a broker on it. The server keeps the stream in folder dir, which
// only one process at a time may use, or in memory if dir is empty.
func Open(ctx context.Context, dir string, opts ...natsx.Option) (*Broker, error) {
	b := &Broker{}
	if err := b.start(ctx, dir); err != nil {
		b.stop()
		return nil, fmt.Errorf("natsx: %w", err)
	}
	own := []natsx.Option{natsx.WithNATS(nats.InProcessServer(b.server))}
	if dir == "" {
		own = append(own, natsx.WithMemory())
	}
	var err error
	if b.Broker, err = natsx.Open(ctx, "nats://embedded", append(own, opts...)...); err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

// start starts the server. If dir is empty, the server gets a temporary folder for the files that
// it writes in addition to streams.
func (b *Broker) start(ctx context.Context, dir string) (err error) {
	store := dir
	if dir == "" {
		if b.scratch, err = os.MkdirTemp("", "zmy-sse-*"); err != nil {
			return fmt.Errorf("a folder for the embedded server: %w", err)
		}
		store = b.scratch
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("a folder for the stream: %w", err)
	}
	b.server, err = server.NewServer(&server.Options{
		ServerName: "zmy-sse", DontListen: true, NoSigs: true, NoLog: true, JetStream: true,
		StoreDir: store, SyncAlways: dir != "", MaxPayload: 8 << 20,
	})
	if err != nil {
		return fmt.Errorf("start a server in %q: %w", store, err)
	}
	b.server.Start()
	for !b.server.ReadyForConnections(100 * time.Millisecond) {
		if ctx.Err() == nil && b.server.Running() {
			continue
		}
		err := ctx.Err()
		if err == nil {
			err = errors.New("it has stopped")
		}
		return fmt.Errorf("start the embedded server: %w; is its folder %q in use by another process?", err, store)
	}
	return nil
}

// stop stops the server and removes what it kept for itself.
func (b *Broker) stop() error {
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
	if b.scratch != "" {
		return os.RemoveAll(b.scratch)
	}
	return nil
}

// Close closes the connection and stops the server.
func (b *Broker) Close() error { return errors.Join(b.Broker.Close(), b.stop()) }
