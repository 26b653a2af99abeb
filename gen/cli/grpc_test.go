package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestGRPC(t *testing.T) {
	const dir = "../emit/gogrpc/testdata/names"
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // in what is printed
	}{
		{"", []string{"-grpc", "-type=service", "-output=-", dir}, exitOK, "zmy gen -grpc -type=service. DO NOT EDIT."},
		{"flag behind", []string{"-type=service", "-output=-", "-lang", "go", "--grpc", dir}, exitOK, "func newServiceClient("},
		{"stale", []string{"-grpc", "-type=service", "-check", dir}, exitFail, "service_grpc.go is missing"},
		{"another language", []string{"-grpc", "-type=service", "-lang=java", dir}, exitUsage, "Go only"},
		{"two", []string{"-grpc", "-type=service,base", "-output=-", dir}, exitFail, "one interface at a time"},
		{"a struct", []string{"-grpc", "-type=M", "-output=-", dir}, exitFail, "not of struct"},
		{"help", []string{"-grpc", "-h"}, exitOK, "//go:generate zmy gen -grpc -type=T"},
		{"without", []string{"-h"}, exitOK, "-grpc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := ZMY(c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if out := stdout.String() + stderr.String(); !strings.Contains(out, c.want) {
				t.Errorf("it prints\n%s\nwithout %q", out, c.want)
			}
		})
	}
}
