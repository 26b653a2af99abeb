// Relay reads pushes of a forge, and signs a notice of each for subscribers. It sends the pushes to itself, so that a profile needs no
// network.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"example.org/relay/hook"
)

func main() {
	cpu := flag.String("cpuprofile", "", "write a CPU profile to this file")
	mem := flag.String("memprofile", "", "write a profile of allocations to this file")
	n := flag.Int("pushes", 20000, "how many pushes are read")
	flag.Parse()
	var bodies [][]byte
	for i := range 200 {
		b, err := hook.WritePush(push(i))
		if err != nil {
			log.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
	}
	mac := hmac.New(sha256.New, []byte("not a secret"))
	for i := range *n {
		relay(mac.Reset, mac.Write, bodies[i%len(bodies)])
	}
	if *mem != "" {
		f, err := os.Create(*mem)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
			log.Fatal(err)
		}
	}
}

// relay checks the signature of a push's bytes, reads it, and signs its notice.
func relay(reset func(), sign func([]byte) (int, error), body []byte) {
	reset()
	_, _ = sign(body)
	p, err := hook.Read(body)
	if err != nil {
		log.Fatal(err)
	}
	n := &hook.Notice{Repository: p.Repository.FullName, Branch: strings.TrimPrefix(p.Ref, "refs/heads/"), Who: p.Sender.Login}
	for _, c := range p.Commits {
		title, _, _ := strings.Cut(c.Message, "\n")
		n.Changes = append(n.Changes, hook.Change{Title: title, Files: len(c.Added) + len(c.Removed) + len(c.Modified), Link: c.URL})
		n.When = c.Timestamp
	}
	out, err := hook.Write(n)
	if err != nil {
		log.Fatal(err)
	}
	reset()
	_, _ = sign(out)
}

func push(i int) *hook.Push {
	id := func(k int) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d.%d", i, k)))[:40] }
	p := &hook.Push{Ref: fmt.Sprintf("refs/heads/topic-%d", i%13), Before: id(-1), After: id(-2), Forced: i%9 == 0,
		Compare: "https://forge.example.org/org/tea/compare/" + id(-1)[:12] + "..." + id(-2)[:12],
		Sender:  &hook.User{Login: fmt.Sprintf("dev%d", i%31), ID: int64(100000 + i)},
		Repository: hook.Repository{ID: int64(7000 + i%5), FullName: "org/tea", URL: "https://forge.example.org/org/tea", Stars: 1200 + i,
			Labels: map[string]string{"team": "kettle", "tier": "gold"}}}
	for k := range 1 + i%4 {
		p.Commits = append(p.Commits, hook.Commit{ID: id(k), Message: fmt.Sprintf("steep: wait %d seconds\n\nThe leaves need it, says issue #%d.", 30+k, i),
			Timestamp: time.Unix(1700000000+int64(60*i+k), 0).UTC(), URL: "https://forge.example.org/org/tea/commit/" + id(k),
			Author: hook.User{Name: fmt.Sprintf("Developer %d", i%31), Email: fmt.Sprintf("dev%d@example.org", i%31), Login: fmt.Sprintf("dev%d", i%31)},
			Added:  []string{"leaf/oolong.go"}, Removed: []string{}, Modified: []string{"pot/pot.go", "pot/pot_test.go"}[:1+k%2]})
	}
	return p
}
