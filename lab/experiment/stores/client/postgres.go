//go:build ignore

package stores

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/zmylab/zmy/lab/worker"
)

// onPostgres keeps messages as bytea in a table of its own. pgx prepares the statements once per
// connection.
type onPostgres struct {
	pool     *pgxpool.Pool
	about    string
	name     string
	table    string // quoted for SQL
	put, get string
}

func openPostgres(ctx context.Context, at worker.StoreAt) (worker.Store, error) {
	c, err := pgxpool.ParseConfig(at.URL)
	if err != nil {
		return nil, err
	}
	c.MaxConns, c.MinConns = int32(at.Conns), 1
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	table := pgx.Identifier{at.Name}.Sanitize()
	s := &onPostgres{pool: pool, name: at.Name, table: table,
		put: "INSERT INTO " + table + " (id, message) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET message = excluded.message",
		get: "SELECT message FROM " + table + " WHERE id = $1"}
	if err := pool.QueryRow(ctx, "SHOW server_version").Scan(&s.about); err != nil {
		pool.Close()
		return nil, err
	}
	version, _, _ := strings.Cut(s.about, " ") // without the packager's name
	s.about = "PostgreSQL " + version
	return s, nil
}

func (s *onPostgres) About() string { return s.about }

func (s *onPostgres) Create(ctx context.Context) error {
	if err := s.Drop(ctx); err != nil {
		return err
	}
	return s.exec(ctx, "CREATE TABLE "+s.table+" (id integer PRIMARY KEY, message bytea NOT NULL)")
}

func (s *onPostgres) Begin(context.Context) error { return nil }

func (s *onPostgres) Put(ctx context.Context, key int, message []byte) error {
	return s.exec(ctx, s.put, key, message)
}

func (s *onPostgres) Get(ctx context.Context, key int) (message []byte, err error) {
	err = s.pool.QueryRow(ctx, s.get, key).Scan(&message)
	return message, err
}

// Size returns the size of the table with its index and its TOAST data. It first rewrites the
// table, since connections that add rows at the same time leave room in its pages.
func (s *onPostgres) Size(ctx context.Context) (n int64, err error) {
	if err := s.exec(ctx, "VACUUM FULL "+s.table); err != nil {
		return 0, err
	}
	err = s.pool.QueryRow(ctx, "SELECT pg_total_relation_size($1::text::regclass)", s.table).Scan(&n)
	return n, err
}

func (s *onPostgres) Drop(ctx context.Context) error {
	if err := s.exec(ctx, "DROP TABLE IF EXISTS "+s.table); err != nil {
		return fmt.Errorf("remove table %s: %w", s.name, err)
	}
	return nil
}

func (s *onPostgres) exec(ctx context.Context, sql string, args ...any) error {
	_, err := s.pool.Exec(ctx, sql, args...)
	return err
}

func (s *onPostgres) Close() error {
	s.pool.Close()
	return nil
}
