package stores

import (
	"embed"
	"io/fs"

	"github.com/zmylab/zmy/lab/contender"
)

// The clients' sources are compiled into this experiment's workers only: nothing else that
// the lab builds requires them, and neither does the lab. `go run ./contender/pin
// experiment/stores/client`, in the lab's folder, pins their modules anew.
//
//go:embed client
var client embed.FS

// beside is the package of the clients.
func beside() (*contender.Beside, error) {
	dir, err := fs.Sub(client, "client")
	if err != nil {
		return nil, err
	}
	return contender.ReadBeside(dir, "stores")
}

// Adapt gives the worker of a codec the stores' clients.
func (e *Experiment) Adapt(info contender.Info) (contender.Info, error) {
	p, err := beside()
	if err != nil {
		return info, err
	}
	return info.With(p)
}
