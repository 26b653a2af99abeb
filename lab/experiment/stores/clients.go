package stores

import (
	"embed"

	"github.com/zmylab/zmy/lab/contender"
)

// The clients' sources are compiled into this experiment's workers only. Neither the lab nor any
// other program that it builds requires the clients' modules. `bin/maint pin
// experiment/stores/client` pins the versions of these modules again.
//
//go:embed client
var client embed.FS

// beside returns the package of the clients.
func beside() (*contender.Beside, error) { return contender.ReadBeside(client, "client", "stores") }

// Adapt adds the stores' clients to a codec's worker.
func (e *Experiment) Adapt(info contender.Info) (contender.Info, error) {
	p, err := beside()
	if err != nil {
		return info, err
	}
	return info.With(p)
}
