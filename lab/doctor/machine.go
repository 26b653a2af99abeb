package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// machine checks processors, memory and other load.
func machine(o Options) []Finding {
	if o.GOOS == "" {
		o.GOOS = runtime.GOOS
	}
	if o.Cores == 0 {
		o.Cores = runtime.NumCPU()
	}
	if o.GOOS == "windows" {
		return []Finding{{Name: "system", State: Broken, Value: "windows", Costs: "workers are driven over inherited pipes and " +
			"timed with getrusage",
			Mend: "run it inside WSL"}}
	}
	out := []Finding{cores(o)}
	if o.GOOS != "linux" {
		return append(out, Finding{Name: "processor settings", State: Unknown, Value: o.GOOS + " does not show them",
			Costs: "pinning, governor and counters are Linux's"})
	}
	m := proc{o.Root}
	return append(out, m.quota(), m.load(o.Cores), m.memory(), m.virtual(), m.steal(), m.governor(), m.turbo(), m.siblings(),
		m.nodes(), m.clock(), m.counters())
}

func cores(o Options) Finding {
	f := Finding{Name: "processors", State: OK, Value: strconv.Itoa(o.Cores)}
	if o.Cores == 1 {
		f.State, f.Costs = Warn, "what a second goroutine adds cannot be measured, and the lab shares the processor with what it measures"
		f.Mend = "give the machine a second processor"
	}
	return f
}

// proc reads files of /proc and /sys.
type proc struct{ root fs.FS }

// text returns a file's content, trimmed, or "" if the file does not exist.
func (p proc) text(name string) string {
	b, err := fs.ReadFile(p.root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// field returns the text after `key:` in a file.
func (p proc) field(name, key string) string {
	for line := range strings.Lines(p.text(name)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func (p proc) quota() Finding {
	f := Finding{Name: "processor quota", State: OK, Value: "none"}
	quota, period, ok := strings.Cut(p.text("sys/fs/cgroup/cpu.max"), " ")
	if !ok || quota == "max" {
		return f
	}
	q, err1 := strconv.ParseFloat(quota, 64)
	t, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || t == 0 {
		return f
	}
	f.State, f.Value = Warn, fmt.Sprintf("%.3g processors", q/t)
	f.Costs = "what goes beyond it waits: tails of latency are the scheduler's, not the codec's"
	f.Mend = "start the container without a limit of CPUs (docker run without --cpus)"
	return f
}

// busy is the load per core above which measurements become less precise.
const busy = 0.5

func (p proc) load(cores int) Finding {
	f := Finding{Name: "load", State: Unknown, Value: "not shown"}
	one, _, _ := strings.Cut(p.text("proc/loadavg"), " ")
	x, err := strconv.ParseFloat(one, 64)
	if err != nil {
		return f
	}
	f.State, f.Value = OK, fmt.Sprintf("%.1f on %d", x, cores)
	if x > busy*float64(cores) {
		f.State = Warn
		f.Costs = "intervals widen and more codecs tie; the noise floor of a run says by how much"
		f.Mend = "end what else runs (top), or measure longer: -budget 5m"
	}
	return f
}

// small is the free memory below which several workers may not fit.
const small = 4 << 20 // KiB

func (p proc) memory() Finding {
	f := Finding{Name: "memory", State: Unknown, Value: "not shown"}
	kib, err := strconv.ParseInt(strings.TrimSuffix(p.field("proc/meminfo", "MemAvailable"), " kB"), 10, 64)
	if err != nil {
		return f
	}
	f.State, f.Value = OK, fmt.Sprintf("%.1f GiB free", float64(kib)/(1<<20))
	if kib < small {
		f.State, f.Costs = Warn, "all workers run side by side: values of large types may not fit"
		f.Mend = "measure fewer codecs at a time (-codecs), or fewer values (-n 64)"
	}
	return f
}

func (p proc) virtual() Finding {
	f := Finding{Name: "virtual machine", State: OK, Value: "no"}
	if !strings.Contains(" "+p.field("proc/cpuinfo", "flags")+" ", " hypervisor ") {
		return f
	}
	f.State, f.Value = Warn, "yes"
	if vendor := p.text("sys/class/dmi/id/sys_vendor"); vendor != "" {
		f.Value = "yes, " + vendor
	}
	f.Costs = "neighbours take time and caches; wall time is noisier than CPU time, by which the lab then ranks"
	f.Mend = "for figures to publish: a machine of its own"
	return f
}

// steal checks the share of time since boot that the host gave to others.
func (p proc) steal() Finding {
	f := Finding{Name: "stolen time", State: Unknown, Value: "not shown"}
	first, _, _ := strings.Cut(p.text("proc/stat"), "\n")
	words := strings.Fields(first) // cpu user nice system idle iowait irq softirq steal …
	if len(words) < 9 {
		return f
	}
	total, stolen := 0.0, 0.0
	for i, w := range words[1:9] {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return f
		}
		if total += x; i == 7 {
			stolen = x
		}
	}
	if total == 0 {
		return f
	}
	share := 100 * stolen / total
	f.State, f.Value = OK, fmt.Sprintf("%.1f%%", share)
	if share >= 1 {
		f.State, f.Costs, f.Mend = Warn, "the host runs others in between: tails of latency are theirs",
			"ask the host's owner, or measure at another hour"
	}
	return f
}

func (p proc) governor() Finding {
	f := Finding{Name: "governor", State: Unknown, Value: "not shown"}
	names, err := fs.Glob(p.root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	if err != nil || len(names) == 0 {
		f.Costs = "the clock of the processors may change while they are measured"
		return f
	}
	f.State, f.Value = OK, "performance"
	for _, name := range names {
		if g := p.text(name); g != "performance" {
			f.State, f.Value = Warn, g
			f.Costs = "the clock follows the load: short operations look slower than they are"
			f.Mend = "sudo cpupower frequency-set -g performance"
		}
	}
	return f
}

func (p proc) turbo() Finding {
	f := Finding{Name: "turbo", State: Unknown, Value: "not shown"}
	const intel, boost = "sys/devices/system/cpu/intel_pstate/no_turbo", "sys/devices/system/cpu/cpufreq/boost"
	on, mend := "", ""
	switch {
	case p.text(intel) != "":
		on, mend = map[string]string{"0": "on", "1": "off"}[p.text(intel)], "echo 1 | sudo tee /"+intel
	case p.text(boost) != "":
		on, mend = map[string]string{"1": "on", "0": "off"}[p.text(boost)], "echo 0 | sudo tee /"+boost
	}
	switch on {
	case "off":
		f.State, f.Value = OK, on
	case "on":
		f.State, f.Value, f.Mend = Warn, on, mend
		f.Costs = "the first seconds run faster than the rest, until the processor is warm"
	}
	return f
}

func (p proc) siblings() Finding {
	f := Finding{Name: "hyper-threads", State: OK, Value: "no"}
	if p.text("sys/devices/system/cpu/smt/active") == "1" {
		f.State, f.Value = Warn, "yes"
		f.Costs = "two processors share one core: what runs on the one slows the other"
		f.Mend = "zmy lab -pin with one of each pair, see /sys/devices/system/cpu/cpu0/topology/thread_siblings_list"
	}
	return f
}

func (p proc) nodes() Finding {
	f := Finding{Name: "NUMA nodes", State: OK, Value: "1"}
	names, err := fs.Glob(p.root, "sys/devices/system/node/node[0-9]*")
	if err == nil && len(names) > 1 {
		f.State, f.Value = Warn, strconv.Itoa(len(names))
		f.Costs = "memory of another node is slower, and who is where is chance"
		f.Mend = "zmy lab -pin with processors of one node, see /" + path.Dir(names[0]) + "/*/cpulist"
	}
	return f
}

func (p proc) clock() Finding {
	f := Finding{Name: "clock", State: Unknown, Value: "not shown"}
	switch c := p.text("sys/devices/system/clocksource/clocksource0/current_clocksource"); c {
	case "":
	case "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter":
		f.State, f.Value = OK, c
	default:
		f.State, f.Value = Warn, c
		f.Costs = "each look at the clock is a system call: tails are measured with it"
		f.Mend = "look at /sys/devices/system/clocksource/clocksource0/available_clocksource for tsc"
	}
	return f
}

func (p proc) counters() Finding {
	f := Finding{Name: "hardware counters", State: OK, Value: "yes"}
	if _, err := fs.Stat(p.root, "sys/bus/event_source/devices/cpu"); err != nil {
		f.State, f.Value = Missing, "none"
		f.Costs = "no cycles and cache misses; instructions are counted by valgrind instead"
		f.Mend = "none here: this machine hides them, as most virtual ones do"
		return f
	}
	level, err := strconv.Atoi(p.text("proc/sys/kernel/perf_event_paranoid"))
	if err == nil && level > 2 {
		f.State, f.Value = Missing, fmt.Sprintf("not allowed (perf_event_paranoid %d)", level)
		f.Costs = "no cycles and cache misses; instructions are counted by valgrind instead"
		f.Mend = "sudo sysctl kernel.perf_event_paranoid=2"
	}
	return f
}
