package load

import (
	"context"
	"fmt"
	"runtime"
)

// spareFiles are those that a process has open beside connections.
const spareFiles = 64

// Affordable is how many of the connections that are asked for to each of so many targets this process may open, and
// why it is not all of them.
func Affordable(conns, targets int) (int, string) { return affordable(conns, targets, openFiles()) }

func affordable(conns, targets, files int) (int, string) {
	most := (files - spareFiles) / max(targets, 1)
	if files == 0 || conns <= most {
		return conns, ""
	}
	return max(most, 1), fmt.Sprintf("%d of %d connections to each server: a process may have %d files open here, the hard limit (ulimit -Hn), and each end of a connection is one", max(most, 1), conns, files)
}

// StartTargets starts a server for each flush policy, by program with its arguments and -flush. stop ends them.
func StartTargets(ctx context.Context, program string, flush []string, args ...string) (targets []*Target, stop func(), err error) {
	var all []*Self
	stop = func() {
		for _, s := range all {
			_ = s.Stop() // its exit code says nothing of the measurement
		}
	}
	for _, f := range flush {
		s, err := StartSelf(ctx, program, append(args[:len(args):len(args)], "-flush", f)...)
		if err != nil {
			stop()
			return nil, func() {}, err
		}
		all = append(all, s)
		t := &Target{URL: s.URL, Usage: ProcessUsage(s.Pid)}
		if runtime.GOOS != "linux" {
			t.Usage = MetricsUsage(s.URL + "/metrics")
		}
		targets = append(targets, t)
	}
	return targets, stop, nil
}
