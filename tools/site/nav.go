package site

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// Nav is what docs/site/data/site.yaml says about pages; the layouts read the rest.
type Nav struct {
	Repository string `yaml:"repository"`
	Doors      []Door `yaml:"doors"`
}

// Door is a part of the site with a page of its own.
type Door struct {
	Name  string `yaml:"name"`
	Path  string `yaml:"path"`
	Items []Item `yaml:"items"`
}

// Item is a page behind a door.
type Item struct {
	Page string `yaml:"page"` // its path in the repository
	Name string `yaml:"name"` // in lists
	Text string `yaml:"text"` // one sentence about it
}

// ReadNav reads the navigation of a tree.
func ReadNav(tree string) (*Nav, error) {
	name := filepath.Join(tree, filepath.FromSlash(folder), "data/site.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	nav := new(Nav)
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(nav); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nav, nil
}
