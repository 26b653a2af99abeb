package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestExperimentHelp: every experiment is listed and explains itself.
func TestExperimentHelp(t *testing.T) {
	say := func(args ...string) string {
		var out, err bytes.Buffer
		if code := dispatch(context.Background(), &console{&out, &err}, args); code != exitOK || err.Len() > 0 {
			t.Fatalf("%v: exit %d, %s", args, code, err.String())
		}
		return out.String()
	}
	list := say("lab", "-h")
	if strings.Contains(list, "EXPERIMENTS") {
		t.Error("the list of experiments is missing")
	}
	names := map[string]bool{}
	for _, e := range experiments() {
		about := e.About()
		if names[about.Name] {
			t.Errorf("%s is there twice", about.Name)
		}
		names[about.Name] = true
		if about.Short == "" || !strings.Contains(list, "\n  "+about.Name+" ") || !strings.Contains(list, about.Short) {
			t.Errorf("%s is not in the list, or not explained: %q", about.Name, about.Short)
		}
		help := say("lab", about.Name, "-h")
		if !strings.HasPrefix(help, "usage: zmy lab "+about.Name+" PACKAGE") || strings.Contains(help, "%!") {
			t.Errorf("help of %s:\n%s", about.Name, help)
		}
		for line := range strings.Lines(list + help) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 110 {
				t.Errorf("help of %s has a line of %d characters: %s", about.Name, n, line)
			}
		}
	}
}

// TestExperimentUsage: mistakes in flags are told before anything is built.
func TestExperimentUsage(t *testing.T) {
	for _, c := range []struct{ args, holds string }{
		{"latency", "name a package"},
		{"latency . -qps many", "-qps many"},
		{"latency . -goroutines 0", "at least 1"},
		{"latency . -op dance", "-op dance"},
		{"stores . -rates fast", "-rates fast"},
		{"stores . -stores oracle", "choose of redis, postgres and mysql"},
		{"sweep . -sizes 1,2", "-sizes"},
		{"contention . -goroutines 1", "between 2 and"},
		{"gc . -retain 0", "-retain 0"},
		{"cpu . -numb", "did you mean -numa?"},
		{"cpu . -depth deep", "quick, standard or paper"},
		{"sweep . -budget -3s", "-budget"},
		{"gc . -format bench", "-format: choose table, md, html, csv, json"},
	} {
		var out, err bytes.Buffer
		code := dispatch(context.Background(), &console{&out, &err}, append([]string{"lab"}, strings.Fields(c.args)...))
		if code != exitUsage || !strings.Contains(err.String(), c.holds) || out.Len() > 0 {
			t.Errorf("zmy lab %s: exit %d, %s", c.args, code, err.String())
		}
	}
}

// TestMisspelt: a word that is near to a subcommand and names nothing else is taken for one.
func TestMisspelt(t *testing.T) {
	for _, c := range []struct{ args, holds string }{
		{"latncy ./model -qps 5", "did you mean zmy lab latency?"},
		{"doctr", "did you mean zmy lab doctor?"},
		{"cmp -type T", "package cmp belongs to the standard library"},
		{"./latncy -type T", "there is no folder ./latncy"},
	} {
		var out, err bytes.Buffer
		code := dispatch(context.Background(), &console{&out, &err}, append([]string{"lab"}, strings.Fields(c.args)...))
		if code != exitUsage || !strings.Contains(err.String(), c.holds) ||
			strings.HasPrefix(c.holds, "did") != strings.Contains(err.String(), "did you mean zmy") {
			t.Errorf("zmy lab %s: exit %d, %s", c.args, code, err.String())
		}
	}
}
