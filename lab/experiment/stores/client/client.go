//go:build ignore

// Package stores connects a worker's load to Redis, PostgreSQL and MySQL through the clients that
// Go programs use. It is compiled into the workers of one experiment only.
package stores

import (
	"context"
	"fmt"

	"github.com/zmylab/zmy/lab/worker"
)

// With gives a codec's worker the stores' clients.
func With[N any](c worker.Contender[N]) worker.Contender[N] {
	c.Stores = open
	return c
}

// open connects and waits until the store has answered once.
func open(ctx context.Context, at worker.StoreAt) (worker.Store, error) {
	switch at.Kind {
	case "redis":
		return openRedis(ctx, at)
	case "postgres":
		return openPostgres(ctx, at)
	case "mysql":
		return openMySQL(ctx, at)
	}
	return nil, fmt.Errorf("there is no store %q", at.Kind)
}
