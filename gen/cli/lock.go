package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

const lockHelp = `usage: zmy lock [flags] [packages]

Records in zmy.lock, one file in each package's folder, what its messages look like:
numbers, names and types of fields, arms of unions, named values, and the identity of
each struct. Its messages are the types of the files that zmy gen has written there, and
the structs with struct tags zmy. Protobuf messages are recorded in zmy.proto.lock: the
types of the files that fxproto has written, and the structs with struct tags proto or
protobuf. Commit the files; zmy breaking compares with them.

What breaks messages written before is refused; see zmy breaking.

  -json       record in zmy.json.lock the JSON of the package's exported structs instead:
              names, forms, what is absent or null, constants, methods; and of all types
              that they contain, those of other modules too
  -type LIST  with -json: record these types, separated by commas, which the record
              keeps; -type all is the exported structs again
  -check      write nothing; exit with 1 if a file is not up to date
  -force      record what breaks too: messages written before are lost
  -tags LIST  build tags, as the go command takes them

packages are folders (the current one by default), import paths, or ./... , of which
those without messages are passed over.

Exit codes: 0 done, 1 something breaks or is out of date, or the source does not
compile, 2 the command was not understood.
`

// Lock runs the command zmy lock and returns its exit code.
func Lock(args []string, stdout, stderr io.Writer) int {
	var check, force bool
	j := &jsonLock{check: &check, force: &force}
	e := &evolver{command: "zmy lock", help: lockHelp, flags: func(fs *flag.FlagSet) {
		fs.BoolVar(&check, "check", false, "")
		fs.BoolVar(&force, "force", false, "")
		fs.BoolVar(&j.on, "json", false, "")
		fs.StringVar(&j.list, "type", "", "")
	}}
	e.check = j.parse
	e.relevant = func(dir string) bool {
		if j.on {
			return exists(filepath.Join(dir, contract.Name)) || speaksOf(dir, "json:")
		}
		return speaksOfMessages(dir)
	}
	proto := protoLock{&check, &force}
	e.each = func(_ context.Context, x *visit) (int, error) {
		if j.on {
			return j.each(x)
		}
		has, code, err := lockZMY(x, check, force)
		if err != nil {
			report(e.command, x.dir, err, stderr)
			code = exitFail
		}
		hasProto, other, err := proto.each(x)
		if err == nil && !has && !hasProto && !x.several {
			err = fmt.Errorf("package %s has no struct with struct tags zmy, proto or protobuf, and no file that zmy gen or fxproto has written",
				x.Path)
		}
		return max(code, other), err
	}
	return e.run(args, stdout, stderr)
}

// lockZMY records the messages of ZMY native of a package. has is false if the package has none.
func lockZMY(x *visit, check, force bool) (has bool, code int, err error) {
	old, err := gen.ReadLock(x.Pkg)
	if err != nil {
		return true, exitFail, err
	}
	c, err := gen.Locked(x.Pkg, old)
	if err != nil {
		return true, exitFail, err
	}
	if len(c.Next.Types) == 0 && old == nil {
		return false, exitOK, nil
	}
	if err := gen.Breaking(c.Changes); err != nil && !force {
		return true, exitFail, err
	}
	f := gen.LockFile(x.Pkg, c.Next)
	if !check {
		for _, ch := range c.Changes {
			if ch.Severity() == schema.Warning {
				fmt.Fprintln(x.stderr, described(x, ch))
			}
		}
		return true, exitOK, f.Write()
	}
	stale, err := f.Stale()
	if stale && err == nil {
		fmt.Fprintf(x.stderr, "%s is not up to date; refresh it with: zmy lock %s\n", filepath.Join(x.dir, lock.Name), quote(x.dir))
		return true, exitFail, nil
	}
	return true, exitOK, err
}
