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
		return []Finding{{"system", Broken, "windows", "workers are driven over inherited pipes and timed with getrusage",
			"run it inside WSL"}}
	}
	out := []Finding{cores(o)}
	if o.GOOS != "linux" {
		return append(out, Finding{"processor settings", Unknown, o.GOOS + " does not show them",
			"pinning, governor and counters are Linux's", ""})
	}
	m := proc{o.Root}
	return append(out, m.quota(), m.load(o.Cores), m.memory(), m.virtual(), m.steal(), m.governor(), m.turbo(), m.siblings(),
		m.nodes(), m.clock(), m.counters())
}

func cores(o Options) Finding {
	const name = "processors"
	if o.Cores == 1 {
		return Finding{name, Warn, "1",
			"what a second goroutine adds cannot be measured, and the lab shares the processor with what it measures",
			"give the machine a second processor"}
	}
	return fine(name, strconv.Itoa(o.Cores))
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
	const name = "processor quota"
	quota, period, _ := strings.Cut(p.text("sys/fs/cgroup/cpu.max"), " ")
	q, err1 := strconv.ParseFloat(quota, 64) // "max" if there is none
	t, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || t == 0 {
		return fine(name, "none")
	}
	return Finding{name, Warn, fmt.Sprintf("%.3g processors", q/t),
		"what goes beyond it waits: tails of latency are the scheduler's, not the codec's",
		"start the container without a limit of CPUs (docker run without --cpus)"}
}

// busy is the load per core above which measurements become less precise.
const busy = 0.5

func (p proc) load(cores int) Finding {
	const name = "load"
	one, _, _ := strings.Cut(p.text("proc/loadavg"), " ")
	x, err := strconv.ParseFloat(one, 64)
	if err != nil {
		return unknown(name)
	}
	value := fmt.Sprintf("%.1f on %d", x, cores)
	if x <= busy*float64(cores) {
		return fine(name, value)
	}
	return Finding{name, Warn, value, "intervals widen and more codecs tie; the noise floor of a run says by how much",
		"end what else runs (top), or measure longer: -budget 5m"}
}

// small is the free memory below which several workers may not fit.
const small = 4 << 20 // KiB

func (p proc) memory() Finding {
	const name = "memory"
	kib, err := strconv.ParseInt(strings.TrimSuffix(p.field("proc/meminfo", "MemAvailable"), " kB"), 10, 64)
	if err != nil {
		return unknown(name)
	}
	value := fmt.Sprintf("%.1f GiB free", float64(kib)/(1<<20))
	if kib >= small {
		return fine(name, value)
	}
	return Finding{name, Warn, value, "all workers run side by side: values of large types may not fit",
		"measure fewer codecs at a time (-codecs), or fewer values (-n 64)"}
}

func (p proc) virtual() Finding {
	const name = "virtual machine"
	if !strings.Contains(" "+p.field("proc/cpuinfo", "flags")+" ", " hypervisor ") {
		return fine(name, "no")
	}
	value := "yes"
	if vendor := p.text("sys/class/dmi/id/sys_vendor"); vendor != "" {
		value += ", " + vendor
	}
	return Finding{name, Warn, value,
		"neighbours take time and caches; wall time may be noisier than CPU time; the lab ranks by the one in which two copies of a program differ less",
		"for figures to publish: a machine of its own"}
}

// steal checks the share of time since boot that the host gave to others.
func (p proc) steal() Finding {
	const name = "stolen time"
	first, _, _ := strings.Cut(p.text("proc/stat"), "\n")
	words := strings.Fields(first) // cpu user nice system idle iowait irq softirq steal …
	if len(words) < 9 {
		return unknown(name)
	}
	total, stolen := 0.0, 0.0
	for _, w := range words[1:9] {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return unknown(name)
		}
		total, stolen = total+x, x
	}
	if total == 0 {
		return unknown(name)
	}
	share := 100 * stolen / total
	if share < 1 {
		return fine(name, fmt.Sprintf("%.1f%%", share))
	}
	return Finding{name, Warn, fmt.Sprintf("%.1f%%", share), "the host runs others in between: tails of latency are theirs",
		"ask the host's owner, or measure at another hour"}
}

func (p proc) governor() Finding {
	const name, best = "governor", "performance"
	names, err := fs.Glob(p.root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	if err != nil || len(names) == 0 {
		f := unknown(name)
		f.Costs = "the clock of the processors may change while they are measured"
		return f
	}
	for _, file := range names {
		if g := p.text(file); g != best {
			return Finding{name, Warn, g, "the clock follows the load: short operations look slower than they are",
				"sudo cpupower frequency-set -g " + best}
		}
	}
	return fine(name, best)
}

func (p proc) turbo() Finding {
	const name = "turbo"
	for _, s := range []struct{ file, on, off string }{ // the file of Intel's driver, then that of other drivers
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "0", "1"},
		{"sys/devices/system/cpu/cpufreq/boost", "1", "0"},
	} {
		switch p.text(s.file) {
		case s.off:
			return fine(name, "off")
		case s.on:
			return Finding{name, Warn, "on", "the first seconds run faster than the rest, until the processor is warm",
				"echo " + s.off + " | sudo tee /" + s.file}
		}
	}
	return unknown(name)
}

func (p proc) siblings() Finding {
	const name = "hyper-threads"
	if p.text("sys/devices/system/cpu/smt/active") != "1" {
		return fine(name, "no")
	}
	return Finding{name, Warn, "yes", "two processors share one core: what runs on the one slows the other",
		"zmy lab -pin with one of each pair, see /sys/devices/system/cpu/cpu0/topology/thread_siblings_list"}
}

func (p proc) nodes() Finding {
	const name = "NUMA nodes"
	names, err := fs.Glob(p.root, "sys/devices/system/node/node[0-9]*")
	if err != nil || len(names) < 2 {
		return fine(name, "1")
	}
	return Finding{name, Warn, strconv.Itoa(len(names)), "memory of another node is slower, and who is where is chance",
		"zmy lab -pin with processors of one node, see /" + path.Dir(names[0]) + "/*/cpulist"}
}

func (p proc) clock() Finding {
	const name = "clock"
	switch c := p.text("sys/devices/system/clocksource/clocksource0/current_clocksource"); c {
	case "":
		return unknown(name)
	case "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter": // read without a system call
		return fine(name, c)
	default:
		return Finding{name, Warn, c, "each look at the clock is a system call: tails are measured with it",
			"look at /sys/devices/system/clocksource/clocksource0/available_clocksource for tsc"}
	}
}

func (p proc) counters() Finding {
	const name, costs = "hardware counters", "no cycles and cache misses; instructions are counted by valgrind instead"
	if _, err := fs.Stat(p.root, "sys/bus/event_source/devices/cpu"); err != nil {
		return Finding{name, Missing, "none", costs, "none here: this machine hides them, as most virtual ones do"}
	}
	level, err := strconv.Atoi(p.text("proc/sys/kernel/perf_event_paranoid"))
	if err == nil && level > 2 { // a process may not even count its own events
		return Finding{name, Missing, fmt.Sprintf("not allowed (perf_event_paranoid %d)", level), costs,
			"sudo sysctl kernel.perf_event_paranoid=2"}
	}
	return fine(name, "yes")
}
