//go:build ignore

package stores

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/zmylab/zmy/lab/worker"
)

// onRedis writes messages with SET and reads them with GET, without expiry.
type onRedis struct {
	c     *redis.Client
	keys  []string
	about string
}

func openRedis(ctx context.Context, at worker.StoreAt) (worker.Store, error) {
	o := &redis.Options{Addr: at.URL}
	if strings.Contains(at.URL, "://") {
		var err error
		if o, err = redis.ParseURL(at.URL); err != nil {
			return nil, err
		}
	}
	o.PoolSize, o.MinIdleConns, o.MaxRetries = at.Conns, at.Conns, -1 // no retries: a request is sent once
	o.ContextTimeoutEnabled = true
	// One vendor's service alone sends these notifications.
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	s := &onRedis{c: redis.NewClient(o)}
	info, err := s.c.Info(ctx, "server").Result()
	if err != nil {
		return nil, errors.Join(err, s.c.Close())
	}
	s.about = "Redis"
	if m := redisVersion.FindStringSubmatch(info); m != nil {
		s.about += " " + m[1]
	}
	for k := range at.Keys {
		s.keys = append(s.keys, at.Name+":"+strconv.Itoa(k))
	}
	return s, nil
}

var redisVersion = regexp.MustCompile(`redis_version:(\S+)`)

func (s *onRedis) About() string { return s.about }

func (s *onRedis) Create(ctx context.Context) error { return s.Drop(ctx) }

func (s *onRedis) Begin(context.Context) error { return nil }

func (s *onRedis) Put(ctx context.Context, key int, message []byte) error {
	return s.c.Set(ctx, s.keys[key], message, 0).Err()
}

func (s *onRedis) Get(ctx context.Context, key int) ([]byte, error) {
	return s.c.Get(ctx, s.keys[key]).Bytes()
}

// Size adds up the memory that Redis reports for the keys. It returns 0 if the service does not
// report memory.
func (s *onRedis) Size(ctx context.Context) (int64, error) {
	var sum int64
	for from := 0; from < len(s.keys); from += pipelined {
		var asked []*redis.IntCmd
		_, err := s.c.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, key := range s.keys[from:min(from+pipelined, len(s.keys))] {
				asked = append(asked, p.MemoryUsage(ctx, key))
			}
			return nil
		})
		if refused := redis.Error(nil); errors.As(err, &refused) {
			return 0, nil // a service that speaks Redis' protocol but does not report memory
		}
		if err != nil {
			return 0, err
		}
		for _, a := range asked {
			sum += a.Val()
		}
	}
	return sum, nil
}

// pipelined is the number of keys in one pipeline or command.
const pipelined = 512

func (s *onRedis) Drop(ctx context.Context) error {
	for from := 0; from < len(s.keys); from += pipelined {
		if err := s.c.Unlink(ctx, s.keys[from:min(from+pipelined, len(s.keys))]...).Err(); err != nil {
			return fmt.Errorf("remove %s:*: %w", strings.TrimSuffix(s.keys[0], ":0"), err)
		}
	}
	return nil
}

func (s *onRedis) Close() error { return s.c.Close() }
