package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// NPM returns the licences of the npm packages of others that the repository at dir locks, all of them
// for its tests and its site, as the files package-lock.json tell them.
func NPM(ctx context.Context, dir string) (all []Licence, err error) {
	out, err := git{ctx, dir}.output("ls-files", "-z", "*package-lock.json")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.Trim(out, "\x00"), "\x00") {
		if name == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		more, err := npmLicences(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, more...)
	}
	return all, nil
}

// folder holds the packages of others.
const folder = "node_modules/"

// npmLicences reads a package-lock.json of version 2 or 3, which has the licences of the registry:
// https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json
func npmLicences(data []byte) (all []Licence, err error) {
	var lock struct {
		LockfileVersion int
		Packages        json.RawMessage
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, err
	}
	if lock.LockfileVersion < 2 || len(lock.Packages) == 0 {
		return nil, fmt.Errorf("lockfileVersion %d names no licences: write the file anew by npm install", lock.LockfileVersion)
	}
	d := json.NewDecoder(bytes.NewReader(lock.Packages)) // in the order of the file
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		at, err := d.Token()
		if err != nil {
			return nil, err
		}
		var p struct {
			Version, License string
			Link             bool // to a folder of the repository
		}
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		place := at.(string)
		if !strings.Contains(place, folder) || p.Link { // the package that has the file, or one of the repository
			continue
		}
		name := place[strings.LastIndex(place, folder)+len(folder):]
		all = append(all, Licence{Path: name, Version: p.Version, Names: []string{p.License}, Why: refusal(p.License)})
	}
	return all, nil
}
