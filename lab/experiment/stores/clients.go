package stores

import (
	"embed"
	"strings"

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
	p := &contender.Beside{Name: "stores", Files: map[string][]byte{}, Wrap: "With"}
	entries, err := client.ReadDir("client")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		data, err := client.ReadFile("client/" + e.Name())
		if err != nil {
			return nil, err
		}
		switch name := e.Name(); {
		case name == "mod.txt":
			p.Mod = data
		case name == "go.sum":
			p.Sum = data
		case strings.HasSuffix(name, ".go"):
			p.Files[name] = data
		}
	}
	return p, nil
}

// Adapt gives the worker of a codec the stores' clients.
func (e *Experiment) Adapt(info contender.Info) (contender.Info, error) {
	p, err := beside()
	if err != nil {
		return info, err
	}
	return info.With(p)
}
