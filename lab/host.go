package lab

import (
	"cmp"
	"os"
	"runtime"
	"slices"
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
	info, memory, load := read("/proc/cpuinfo"), read("/proc/meminfo"), read("/proc/loadavg")
	h.CPU = cmp.Or(firstField(info, "model name"), firstField(info, "CPU implementer")) // the latter on ARM
	h.Virtual = hypervisor(info)
	if kb, err := strconv.ParseInt(strings.TrimSuffix(firstField(memory, "MemTotal"), " kB"), 10, 64); err == nil {
		h.MemBytes = kb << 10
	}
	first, _, _ := strings.Cut(load, " ")
	if x, err := strconv.ParseFloat(first, 64); err == nil {
		h.Load1 = x
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

// hypervisor returns the maker of the virtual machine, or "virtual machine" if the maker is
// unknown. It returns "" if the CPU's flags show no hypervisor.
func hypervisor(cpuinfo string) string {
	if !slices.Contains(strings.Fields(firstField(cpuinfo, "flags")), "hypervisor") {
		return ""
	}
	return cmp.Or(strings.TrimSpace(read("/sys/class/dmi/id/sys_vendor")), "virtual machine")
}

// read returns the text of a file of the system, "" if there is no such file.
func read(name string) string {
	b, _ := os.ReadFile(name)
	return string(b)
}

// firstField returns the value of the first line of the form `key: value`, or "".
func firstField(text, key string) string {
	for l := range strings.Lines(text) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
