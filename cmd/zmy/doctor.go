package main

import (
	"context"
	"flag"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/doctor"
)

const doctorHelp = `usage: zmy lab doctor [-json]

Says what this machine has and lacks for the lab: Go, processors, load, governor, turbo,
virtualisation, counters, programs, modules and their proxy; for each lack what it costs
and the command that mends it. Nothing is changed.

  -json   print an array of objects: name, state (ok, warn, missing, broken, unknown),
          value, costs, mend

Exit codes: 0 the lab can measure here, 1 it cannot.
`

func runDoctor(ctx context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("lab doctor", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "")
	rest, err := parse(c, fs, doctorHelp, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return misused("it takes no arguments; run it in any folder")
	}
	var o doctor.Options
	for _, i := range table.All() {
		o.Modules = append(o.Modules, doctor.Pinned{Contender: i.Name, Modules: i.Modules})
	}
	all := doctor.Examine(ctx, o)
	show := doctor.Text
	if *asJSON {
		show = doctor.JSON
	}
	if err := show(c.stdout, all); err != nil {
		return err
	}
	if !doctor.Usable(all) {
		return quiet(exitInternal)
	}
	return nil
}
