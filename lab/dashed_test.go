package lab

import (
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

func TestDashed(t *testing.T) {
	const own, other = "example.org/m.Account.Password", "example.org/x/mail.Box.Key"
	r := &run.Run{Subject: run.Subject{Package: "example.org/m"}, Contenders: []*run.Contender{
		{Name: "std-json", Status: run.StatusMeasured},
		{Name: "msgpack", Status: run.StatusMeasured, Dashed: []string{own, other}},
		{Name: "zmy", Status: run.StatusMeasured},
		{Name: "gob", Status: run.StatusMeasured, Dashed: []string{own, other}},
		{Name: "mus", Status: run.StatusMeasured, Dashed: []string{own}},
		{Name: "benc", Status: run.StatusFailed, Dashed: []string{own}},
	}}
	want := []string{
		`gob, msgpack write Account.Password, mail.Box.Key, which json:"-" keeps out of JSON`,
		`mus writes Account.Password, which json:"-" keeps out of JSON`,
	}
	if got := dashed(r); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
