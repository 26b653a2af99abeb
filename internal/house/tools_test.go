package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// aptGet stands in for apt-get: it refuses npm, which conflicts, a package of another release, and
// whatever is asked for together with them; others become commands.
const aptGet = `#!/bin/bash
echo "$*" >>"$LOG"
[ "$1" = install ] || exit ${UPDATE:-0}
shift
for a; do case $a in npm|openjdk-17-jdk-headless|${REFUSE:-npm}) echo "E: unable to correct problems, you have held broken packages: $a" >&2; exit 100 ;; esac; done
for a; do
	case $a in
	-*) continue ;;
	nodejs) a=node ;;
	flatbuffers-compiler) a=flatc ;;
	capnproto) a=capnp ;;
	default-jdk-headless) a=javac ;;
	maven) a=mvn ;;
	qemu-user) a=qemu-aarch64 ;;
	python3-pip) a=pip3 ;;
	postgresql) a=pg_ctlcluster ;;
	mariadb-server) a=mariadbd ;;
	esac
	printf '#!/bin/sh\n' >"$BIN/$a"
	chmod +x "$BIN/$a"
done
`

// TestTools: a package that cannot be installed keeps none of the others away, and is told.
func TestTools(t *testing.T) {
	script, err := filepath.Abs("../../.ci/tools")
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is missing")
	}
	for _, c := range []struct {
		name, update string
		present      []string
		fails        bool
		holds, lacks []string
	}{
		{"without a compiler", "0", nil, true, []string{"MISSING: gcc", "no check works without gcc"}, nil},
		{"conflicts", "0", nil, false, []string{"MISSING: npm (package npm)"}, []string{"MISSING: node", "MISSING: javac", "MISSING: mariadbd"}},
		{"old lists", "1", nil, false, []string{"apt-get update has failed", "MISSING: npm"}, []string{"MISSING: mvn"}},
		{"npm is there", "0", []string{"npm", "javac"}, false, nil, []string{"MISSING", "one by one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := t.TempDir()
			log := filepath.Join(bin, "log")
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write("apt-get", aptGet)
			write("id", "#!/bin/sh\necho 0\n")
			for _, name := range c.present {
				write(name, "#!/bin/sh\n")
			}
			for _, name := range []string{"bash", "chmod", "env"} {
				if path, err := exec.LookPath(name); err == nil {
					if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			cmd := exec.Command(bash, script)
			cmd.Env = []string{"PATH=" + bin, "BIN=" + bin, "LOG=" + log, "UPDATE=" + c.update}
			if c.fails {
				cmd.Env = append(cmd.Env, "REFUSE=gcc")
			}
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range c.holds {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			for _, not := range c.lacks {
				if strings.Contains(string(out), not) {
					t.Errorf("%q in\n%s", not, out)
				}
			}
			asked, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(asked)) {
				for _, name := range c.present {
					if slices.Contains(strings.Fields(line), name) {
						t.Errorf("asked for what is there: %s", line)
					}
				}
			}
		})
	}
}
