package lab

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// Machine describes this machine and the Go version of this program. What the system does not
// reveal stays empty.
func Machine() run.Host {
	return host(&plan.Env{GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, GOVERSION: runtime.Version()})
}

// host describes this machine and the Go installation of env. What the system does not reveal stays
// empty.
func host(env *plan.Env) run.Host {
	h := run.Host{
		OS: env.GOOS, Arch: env.GOARCH, Cores: runtime.NumCPU(), Load1: -1,
		Go: env.GOVERSION, Flags: flags(env), Counters: "n/a",
	}
	info := readLines("/proc/cpuinfo")
	h.CPU = firstField(info, "model name", ":")
	if h.CPU == "" {
		h.CPU = firstField(info, "CPU implementer", ":")
	}
	h.Virtual = hypervisor(info)
	if kb, err := strconv.ParseInt(strings.TrimSuffix(firstField(readLines("/proc/meminfo"), "MemTotal", ":"), " kB"), 10, 64); err == nil {
		h.MemBytes = kb << 10
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		if f := bytes.Fields(load); len(f) > 0 {
			if x, err := strconv.ParseFloat(string(f[0]), 64); err == nil {
				h.Load1 = x
			}
		}
	}
	return h
}

// flags lists the settings that change what the compiler produces, and the environment variables
// that change how the Go runtime of the workers behaves.
func flags(env *plan.Env) string {
	var out []string
	if f := strings.TrimSpace(env.GOFLAGS); f != "" && f != "-buildvcs=false" {
		out = append(out, "GOFLAGS="+f)
	}
	if env.GOEXPERIMENT != "" {
		out = append(out, "GOEXPERIMENT="+env.GOEXPERIMENT)
	}
	if env.GOAMD64 != "" && env.GOAMD64 != "v1" {
		out = append(out, "GOAMD64="+env.GOAMD64)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS"} {
		if v := os.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return strings.Join(out, " ")
}

// hypervisor returns the maker of the virtual machine, "virtual machine" if only the CPU's flag
// shows that it is one, or "" on a real machine.
func hypervisor(cpuinfo []string) string {
	if !strings.Contains(" "+firstField(cpuinfo, "flags", ":")+" ", " hypervisor ") {
		return ""
	}
	if b, err := os.ReadFile("/sys/class/dmi/id/sys_vendor"); err == nil {
		if s := strings.TrimSpace(string(b)); s != "" {
			return s
		}
	}
	return "virtual machine"
}

func readLines(name string) []string {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return strings.Split(string(b), "\n")
}

// firstField returns the value of the first line of the form `key<sep> value`, or "".
func firstField(lines []string, key, sep string) string {
	for _, l := range lines {
		if k, v, ok := strings.Cut(l, sep); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
