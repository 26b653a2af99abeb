//go:build ignore

package stores

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/zmylab/zmy/lab/worker"
)

// onMySQL keeps messages as blobs in a table of its own. Each connection prepares its statements
// once.
type onMySQL struct {
	db       *sql.DB
	about    string
	name     string
	put, get *sql.Stmt
}

func openMySQL(ctx context.Context, at worker.StoreAt) (worker.Store, error) {
	c, err := mysql.ParseDSN(strings.TrimPrefix(at.URL, "mysql://"))
	if err != nil {
		return nil, err
	}
	if c.DBName == "" {
		return nil, errors.New("the DSN names no database: user:password@tcp(host:3306)/DATABASE")
	}
	c.Logger = &mysql.NopLogger{} // the errors say what it would log
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(at.Conns)
	db.SetMaxIdleConns(at.Conns)
	s := &onMySQL{db: db, name: at.Name}
	if err := s.look(ctx, at.Largest, c.MaxAllowedPacket); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// envelope is about how many bytes a statement adds to the message in a packet.
const envelope = 64

// look asks for the server's name and version, and checks whether the largest message fits in a
// packet. If a message does not fit, the server cuts the connection without saying why.
func (s *onMySQL) look(ctx context.Context, largest, client int) error {
	var version string
	var most int
	if err := s.db.QueryRowContext(ctx, "SELECT version(), @@max_allowed_packet").Scan(&version, &most); err != nil {
		return err
	}
	who := "the server's max_allowed_packet"
	if client > 0 && client < most {
		who, most = "maxAllowedPacket of the DSN", client
	}
	if largest+envelope > most {
		return fmt.Errorf("the largest message has %d bytes and %s is %d: raise it, or leave this codec or store out", largest, who, most)
	}
	s.about = "MySQL"
	for _, kind := range []string{"MariaDB", "TiDB"} {
		if strings.Contains(version, kind) {
			s.about = kind
		}
	}
	number := version // 5.5.5-10.11.6-MariaDB, 8.0.11-TiDB-v7.5.0, 8.4.2
	if m := tidbVersion.FindStringSubmatch(version); m != nil {
		number = m[1]
	}
	number, _, _ = strings.Cut(strings.TrimPrefix(number, "5.5.5-"), "-")
	s.about += " " + number
	return nil
}

var tidbVersion = regexp.MustCompile(`TiDB-v?(\S+)`)

func (s *onMySQL) About() string { return s.about }

func (s *onMySQL) Create(ctx context.Context) error {
	if err := s.Drop(ctx); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "CREATE TABLE `"+s.name+"` (id INT PRIMARY KEY, message LONGBLOB NOT NULL)")
	return err
}

func (s *onMySQL) Begin(ctx context.Context) (err error) {
	if s.put, err = s.db.PrepareContext(ctx, "INSERT INTO `"+s.name+
		"` (id, message) VALUES (?, ?) ON DUPLICATE KEY UPDATE message = VALUES(message)"); err != nil {
		return err
	}
	s.get, err = s.db.PrepareContext(ctx, "SELECT message FROM `"+s.name+"` WHERE id = ?")
	return err
}

func (s *onMySQL) Put(ctx context.Context, key int, message []byte) error {
	_, err := s.put.ExecContext(ctx, key, message)
	return err
}

func (s *onMySQL) Get(ctx context.Context, key int) (message []byte, err error) {
	err = s.get.QueryRowContext(ctx, key).Scan(&message)
	return message, err
}

// Size returns 0, which means unknown: InnoDB counts in the megabytes that it has reserved, and
// TiDB does not count.
func (s *onMySQL) Size(context.Context) (int64, error) { return 0, nil }

func (s *onMySQL) Drop(ctx context.Context) error {
	if _, err := s.db.ExecContext(ctx, "DROP TABLE IF EXISTS `"+s.name+"`"); err != nil {
		return fmt.Errorf("remove table %s: %w", s.name, err)
	}
	return nil
}

func (s *onMySQL) Close() error { return s.db.Close() }
