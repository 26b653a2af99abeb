package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart starts the commands to print their help: the median of the time on the clock and of
// the processor time in milliseconds, and the size of the file in MB, as a release builds it.
func BenchmarkStart(b *testing.B) {
	for _, c := range []struct{ name, source string }{{"zmy", "."}, {"fxjson", "../../gen/cmd/fxjson"}} {
		b.Run(c.name, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), c.name)
			if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, c.source).CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			info, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			var wall, cpu []time.Duration
			for b.Loop() {
				cmd := exec.Command(file, "-h")
				start := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				wall = append(wall, time.Since(start))
				cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
			slices.Sort(wall)
			slices.Sort(cpu)
			b.ReportMetric(float64(wall[len(wall)/2])/1e6, "median-ms")
			b.ReportMetric(float64(cpu[len(cpu)/2])/1e6, "cpu-ms")
			b.ReportMetric(float64(info.Size())/1e6, "MB")
		})
	}
}
