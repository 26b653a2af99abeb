package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/zmylab/zmy/lab/run"
)

func files(text map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range text {
		out[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}

const counters = "sys/bus/event_source/devices/cpu/type"

// TestMachine: what each file of /proc and /sys means.
func TestMachine(t *testing.T) {
	for _, c := range []struct {
		name, finding string
		files         map[string]string
		want          string // state: value
		mend          string // in the advice
	}{
		{"quota", "processor quota", map[string]string{"sys/fs/cgroup/cpu.max": "150000 100000\n"}, "warn: 1.5 processors", "--cpus"},
		{"no quota", "processor quota", map[string]string{"sys/fs/cgroup/cpu.max": "max 100000\n"}, "ok: none", ""},
		{"idle", "load", map[string]string{"proc/loadavg": "0.20 1.0 2.0 1/100 7\n"}, "ok: 0.2 on 4", ""},
		{"busy", "load", map[string]string{"proc/loadavg": "3.20 1.0 2.0 1/100 7\n"}, "warn: 3.2 on 4", "-budget"},
		{"no load", "load", nil, "unknown: not shown", ""},
		{"little memory", "memory", map[string]string{"proc/meminfo": "MemTotal: 9 kB\nMemAvailable:  1048576 kB\n"},
			"warn: 1.0 GiB free", "-codecs"},
		{"hardware", "virtual machine", map[string]string{"proc/cpuinfo": "flags\t: fpu vme\n"}, "ok: no", ""},
		{"guest", "virtual machine", map[string]string{"proc/cpuinfo": "flags\t: fpu hypervisor vme\n",
			"sys/class/dmi/id/sys_vendor": "QEMU\n"}, "warn: yes, QEMU", "machine of its own"},
		{"stolen", "stolen time", map[string]string{"proc/stat": "cpu  50 0 0 40 0 0 0 10 0 0\ncpu0 1\n"}, "warn: 10.0%", "host"},
		{"not stolen", "stolen time", map[string]string{"proc/stat": "cpu  50 0 0 50 0 0 0 0 0 0\n"}, "ok: 0.0%", ""},
		{"powersave", "governor", map[string]string{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
			"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave\n"}, "warn: powersave", "cpupower"},
		{"performance", "governor", map[string]string{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n"},
			"ok: performance", ""},
		{"turbo of Intel", "turbo", map[string]string{"sys/devices/system/cpu/intel_pstate/no_turbo": "0\n"}, "warn: on",
			"echo 1 | sudo tee /sys/devices"},
		{"boost", "turbo", map[string]string{"sys/devices/system/cpu/cpufreq/boost": "1\n"}, "warn: on", "echo 0 | sudo tee /sys/devices"},
		{"no boost", "turbo", map[string]string{"sys/devices/system/cpu/cpufreq/boost": "0\n"}, "ok: off", ""},
		{"threads", "hyper-threads", map[string]string{"sys/devices/system/cpu/smt/active": "1\n"}, "warn: yes", "-pin"},
		{"nodes", "NUMA nodes", map[string]string{"sys/devices/system/node/node0/cpulist": "0-1\n",
			"sys/devices/system/node/node1/cpulist": "2-3\n"}, "warn: 2", "-pin"},
		{"clock", "clock", map[string]string{"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n"}, "warn: hpet", "tsc"},
		{"no counters", "hardware counters", nil, "missing: none", "virtual"},
		{"forbidden counters", "hardware counters", map[string]string{counters: "4", "proc/sys/kernel/perf_event_paranoid": "4\n"},
			"missing: not allowed (perf_event_paranoid 4)", "sysctl"},
		{"counters", "hardware counters", map[string]string{counters: "4", "proc/sys/kernel/perf_event_paranoid": "2\n"}, "ok: yes", ""},
	} {
		found := false
		for _, f := range machine(Options{Root: files(c.files), GOOS: "linux", Cores: 4}) {
			if f.Name != c.finding {
				continue
			}
			found = true
			if got := f.State + ": " + f.Value; got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
			if !strings.Contains(f.Mend, c.mend) || (f.State == Warn || f.State == Missing) && (f.Mend == "" || f.Costs == "") {
				t.Errorf("%s: costs %q, mend %q", c.name, f.Costs, f.Mend)
			}
		}
		if !found {
			t.Errorf("%s: no finding %s", c.name, c.finding)
		}
	}
	if one := cores(Options{Cores: 1}); one.State != Warn {
		t.Errorf("%+v", one)
	}
	if w := machine(Options{GOOS: "windows"}); Usable(w) || !strings.Contains(w[0].Mend, "WSL") {
		t.Errorf("%+v", w)
	}
	if m := machine(Options{GOOS: "darwin"}); !Usable(m) {
		t.Errorf("%+v", m)
	}
}

// TestTools: without programs on the PATH they are missing, and Go breaks all. Servers are
// looked for elsewhere too.
func TestTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	servers := 0
	for _, f := range tools() {
		if slices.Contains([]string{"redis-server", "postgres", "mariadbd"}, f.Name) {
			if servers++; f.State == OK {
				continue
			}
		}
		closed := strings.Contains(f.Mend, "chmod o+x ") // a folder above a server, on this machine
		if f.Name != "pinning" && (f.State != Missing || !strings.Contains(f.Mend, "apt-get install") && !closed) {
			t.Errorf("%+v", f)
		}
	}
	if servers != 3 {
		t.Errorf("%d servers", servers)
	}
	if all := goFindings(t.Context(), Options{}); Usable(all) {
		t.Errorf("%+v", all)
	}
}

// TestModules: a module that is nowhere costs the contender that needs it, and the
// proxy's secrets are not printed.
func TestModules(t *testing.T) {
	t.Setenv("GOPROXY", "https://me:word@127.0.0.1:1/proxy")
	dir := t.TempDir()
	t.Setenv("GOMODCACHE", dir)
	// A build leaves the zip file of a module, and not what the proxy says of its versions.
	zip := filepath.Join(dir, "cache", "download", "example.com", "!here", "@v", "v1.0.0.zip")
	if err := errors.Join(os.MkdirAll(filepath.Dir(zip), 0o755), os.WriteFile(zip, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	here, none := run.Module{Path: "example.com/Here", Version: "v1.0.0"}, run.Module{Path: "example.com/none", Version: "v1.2.3"}
	o := Options{Modules: []Pinned{
		{"std", nil}, {"here", []run.Module{here}}, {"none", []run.Module{here, none}}, {"twice", []run.Module{none}},
	}}
	seen := 0
	for _, f := range goFindings(t.Context(), o) {
		switch f.Name {
		case "module cache":
			seen++
			if f.State != Warn || f.Value != "2 of 3 codecs lack modules: none twice" || f.Mend != "go mod download example.com/none@v1.2.3" {
				t.Errorf("%+v", f)
			}
		case "module proxy":
			seen++
			if f.State != Missing || strings.Contains(f.Value, "word") || !strings.Contains(f.Value, "://…@127.0.0.1:1/proxy") {
				t.Errorf("%+v", f)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d of 2 findings", seen)
	}
}

func TestPrint(t *testing.T) {
	all := []Finding{{Name: "Go", State: OK, Value: "go1.26"}, {Name: "load", State: Warn, Value: "9 on 2", Costs: "time", Mend: "top"}}
	var b bytes.Buffer
	if err := Text(&b, all); err != nil {
		t.Fatal(err)
	}
	const want = `ok       Go    go1.26
warn     load  9 on 2
               costs: time
               mend:  top

The lab works; 1 of 2 points cost something. It says in each report what that means for its figures.
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if err := JSON(&b, all); err != nil {
		t.Fatal(err)
	}
	var back []Finding
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back) != 2 || back[1] != all[1] {
		t.Errorf("%v %s", err, b.String())
	}
}
