package stores

import (
	"embed"

	"github.com/zmylab/zmy/lab/contender"
)

// The clients' sources are compiled into this experiment's workers only: nothing else that
// the lab builds requires them, and neither does the lab. `bin/maint pin
// experiment/stores/client` pins their modules anew.
//
//go:embed client
var client embed.FS

// beside is the package of the clients.
func beside() (*contender.Beside, error) { return contender.ReadBeside(client, "client", "stores") }

// Adapt gives the worker of a codec the stores' clients.
func (e *Experiment) Adapt(info contender.Info) (contender.Info, error) {
	p, err := beside()
	if err != nil {
		return info, err
	}
	return info.With(p)
}
