package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
)

// TestPackageRehearsal makes a release in a clone of HEAD, publishes its packages into registries of
// its own with the commands of CONTRIBUTING.md, and uses them from empty folders with the lines of
// the guides. A part is skipped if one of its programs is missing.
func TestPackageRehearsal(t *testing.T) {
	if !*rehearse {
		t.Skip("run with -rehearse: make rehearse-packages")
	}
	base := t.TempDir()
	p := &packages{clone: filepath.Join(base, "clone"), zmy: filepath.Join(base, "zmy"), message: filepath.Join(base, "order.zmy")}
	cloneTo(t, p.clone)
	made, err := Make(t.Context(), Options{Root: p.clone, Version: "v0.1.0", Date: time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	p.run(t, p.clone, "git", "checkout", "--quiet", "v0.1.0")
	p.install(t, made, base)
	message, err := zmy.Marshal(&shopOrder{ID: "A-1", Total: 1.5, At: time.Unix(1, 0).UTC(), Tags: []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.message, string(message))

	t.Run("cargo", p.cargo)
	t.Run("maven", p.maven)
	t.Run("npm", p.npm)
	if missing := missing("cargo", "mvn", "javac", "gpg", "gradle", "npm", "node", "chromium"); missing != "" {
		t.Logf("NOT REHEARSED: packages that need %s; .ci/tools rehearse installs all that Debian has", missing)
	}
}

// missing returns which of the programs are not in PATH.
func missing(programs ...string) string {
	return strings.Join(slices.DeleteFunc(programs, func(p string) bool {
		_, err := exec.LookPath(p)
		return err == nil
	}), ", ")
}

// shopOrder is the Order of the constant order.
type shopOrder struct {
	ID    string    `zmy:"0"`
	Total float64   `zmy:"1"`
	At    time.Time `zmy:"2"`
	Tags  []string  `zmy:"3"`
}

// shown is what the programs of Rust and Java print of the message.
const shown = "A-1 1.5 x,y\n"

// packages is a clone at the commit of a release.
type packages struct {
	clone, zmy string
	message    string // file of a message that Go has written
	env        []string
}

// run runs a command in dir and returns what it prints.
func (p *packages) run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	start := time.Now()
	out := output(t, dir, append(os.Environ(), p.env...), command...)
	t.Logf("%4.0f s  %s", time.Since(start).Seconds(), strings.Join(command, " "))
	return out
}

// install installs the zmy of the release. Paths are left out of what is compiled, so that packages of
// others come from this machine's cache.
func (p *packages) install(t *testing.T, made *Result, base string) {
	t.Helper()
	proxy := filepath.Join(base, "proxy")
	if err := made.AddToProxy(t.Context(), proxy); err != nil {
		t.Fatal(err)
	}
	q := *p
	q.env = append(fromProxy(t, proxy), "GOMODCACHE="+filepath.Join(base, "mod"), "GOBIN="+base, "GOFLAGS=-trimpath -modcacherw")
	q.run(t, base, "go", "install", "github.com/zmylab/zmy/cmd/zmy@"+made.Version)
	if out := p.run(t, base, p.zmy, "version"); !strings.HasPrefix(out, "zmy "+made.Version+", go1.") {
		t.Errorf("zmy version prints %q", out)
	}
}

// generate generates code of another language for the Order of a Go package.
func (p *packages) generate(t *testing.T, args ...string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.org/shop\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "order.go"), order)
	p.run(t, dir, append([]string{p.zmy, "gen", "-type", "Order"}, args...)...)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// snippet returns the block of a guide that is for reading only and has these words.
func snippet(t *testing.T, page, kind, words string) string {
	t.Helper()
	for _, block := range strings.Split(text(t, "../../docs/guide/"+page), "\n```"+kind+"\n")[1:] {
		if block, _, _ = strings.Cut(block, "\n```"); strings.Contains(block, words) {
			return block
		}
	}
	t.Fatalf("docs/guide/%s has no block %s with %q", page, kind, words)
	return ""
}

// command returns the command of CONTRIBUTING.md that begins with these words.
func command(t *testing.T, words string) []string {
	t.Helper()
	for line := range strings.Lines(text(t, "../../CONTRIBUTING.md")) {
		if strings.HasPrefix(line, words+" ") {
			line, _, _ = strings.Cut(line, " #")
			return strings.Fields(line)
		}
	}
	t.Fatalf("CONTRIBUTING.md has no command %s", words)
	return nil
}

// cargo: cargo publish to a registry, and cargo add from it.
func (p *packages) cargo(t *testing.T) {
	need(t, "cargo")
	registry, home := newCrates(t), t.TempDir()
	q := *p
	q.env = []string{"CARGO_HOME=" + home, "CARGO_TARGET_DIR=" + filepath.Join(t.TempDir(), "target"),
		"CARGO_REGISTRIES_REHEARSAL_INDEX=sparse+" + registry.URL + "/", "CARGO_REGISTRIES_REHEARSAL_TOKEN=none"}
	if have, err := os.ReadFile(filepath.Join(cargoHome(t), "config.toml")); err == nil {
		write(t, filepath.Join(home, "config.toml"), string(have))
	}
	q.run(t, p.clone, append(command(t, "cargo publish"), "--quiet", "--registry", "rehearsal")...)

	dir := t.TempDir()
	q.run(t, dir, "cargo", "new", "--quiet", "--vcs", "none", "reader")
	reader := filepath.Join(dir, "reader")
	q.run(t, reader, "cargo", "add", "--quiet", "--registry", "rehearsal", "zmy")
	version := strings.TrimPrefix(snippet(t, "rust.md", "toml", "\nzmy = \""), "[dependencies]\nzmy = ")
	if manifest := text(t, filepath.Join(reader, "Cargo.toml")); !strings.Contains(manifest, "version = "+version) {
		t.Errorf("cargo add has written\n%s\nand the guide says zmy = %s", manifest, version)
	}
	p.generate(t, "-lang", "rust", "-package", "shop", "-o", filepath.Join(reader, "src"))
	write(t, filepath.Join(reader, "src/main.rs"), text(t, "testdata/rust/main.rs"))
	if out := q.run(t, reader, "cargo", "run", "--quiet", "--", p.message); out != shown {
		t.Errorf("the program printed %q, want %q", out, shown)
	}
}

// cargoHome returns the folder with the user's configuration of cargo.
func cargoHome(t *testing.T) string {
	if dir := os.Getenv("CARGO_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(userHome(t), ".cargo")
}

func userHome(t *testing.T) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// maven: mvn deploy into a repository in a folder, and programs that get the library from there by
// Maven and Gradle. In place of Maven Central they have the artifacts of this machine.
func (p *packages) maven(t *testing.T) {
	need(t, "mvn", "javac", "gpg")
	repo := filepath.Join(t.TempDir(), "repo")
	q := *p
	q.env = []string{"GNUPGHOME=" + newKey(t)}
	deploy := command(t, "mvn")
	at := slices.Index(deploy, "-Prelease,central")
	if at < 0 {
		t.Fatalf("CONTRIBUTING.md publishes by %v; want the profiles release and central", deploy)
	}
	deploy[at] = "-Prelease" // profile central would upload
	q.run(t, p.clone, append(deploy, "-q", "-B", "-ntp", "-Dmaven.install.skip", "-DaltDeploymentRepository=rehearsal::file://"+repo)...)
	checkRepository(t, &q, repo)

	machine := "file://" + filepath.Join(userHome(t), ".m2", "repository")
	sources := t.TempDir()
	p.generate(t, "-lang", "java", "-package", "com.example.shop", "-o", sources)
	write(t, filepath.Join(sources, "com/example/shop/Main.java"), text(t, "testdata/java/Main.java"))
	run := func(t *testing.T, dir, classpath string) {
		if out := p.run(t, dir, "java", "-cp", classpath, "com.example.shop.Main", p.message); out != shown {
			t.Errorf("the program printed %q, want %q", out, shown)
		}
	}
	t.Run("consumer", func(t *testing.T) {
		dir := javaProgram(t, sources, "pom.xml", "<!-- the guide's lines -->", snippet(t, "java.md", "xml", "<version>0.1.0<"))
		own := t.TempDir()
		p.run(t, dir, "mvn", "-q", "-B", "-ntp", "-o", "-Daether.offline.protocols=file", "-s", absolute(t, "testdata/java/settings.xml"),
			"-Drehearsal=file://"+repo, "-Dmachine="+machine, "-Dmaven.repo.local="+own, "compile")
		jar := filepath.Join(own, "io/github/zmylab/zmy/0.1.0")
		if from := text(t, filepath.Join(jar, "_remote.repositories")); !strings.Contains(from, "zmy-0.1.0.jar>rehearsal=") {
			t.Errorf("the library is not from the repository of the rehearsal:\n%s", from)
		}
		// Without the annotations of JSpecify, which are not needed at run time.
		run(t, dir, filepath.Join(dir, "target/classes")+string(filepath.ListSeparator)+filepath.Join(jar, "zmy-0.1.0.jar"))
	})
	t.Run("gradle", func(t *testing.T) {
		need(t, "gradle")
		if out, err := exec.Command("gradle", "--version").CombinedOutput(); err != nil {
			t.Skipf("gradle does not run on this Java: the library was not tested with Gradle\n%s", out)
		}
		dir := javaProgram(t, sources, "build.gradle", "// the guide's line", snippet(t, "java.md", "groovy", "zmy:0.1.0"))
		out := p.run(t, dir, "gradle", "--offline", "--no-daemon", "-q", "-g", t.TempDir(), "-Prehearsal=file://"+repo,
			"-Pmachine="+machine, "classpath")
		if !strings.Contains(out, filepath.Join(repo, "io/github/zmylab/zmy/0.1.0/zmy-0.1.0.jar")) {
			t.Errorf("the library is not from the repository of the rehearsal: %s", out)
		}
		run(t, dir, strings.TrimSpace(out))
	})
}

// newKey makes a key to sign with and returns the folder of gpg that has it.
func newKey(t *testing.T) string {
	dir, err := os.MkdirTemp("", "zmy-gpg-") // the path of gpg's socket must be short
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GNUPGHOME="+dir)
	t.Cleanup(func() {
		output(t, "", env, "gpgconf", "--kill", "all")
		_ = os.RemoveAll(dir)
	})
	output(t, "", env, "gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-generate-key",
		"the ZMY authors <release@zmylab.invalid>", "rsa2048", "sign", "never")
	return dir
}

// checkRepository checks what was deployed: the two libraries, each with what Maven Central wants.
func checkRepository(t *testing.T, p *packages, repo string) {
	t.Helper()
	artifacts, err := filepath.Glob(filepath.Join(repo, "io/github/zmylab/*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(artifacts) != 2 {
		t.Errorf("deployed are %v, want zmy and zmy-netty", artifacts)
	}
	for _, dir := range artifacts {
		base := filepath.Join(dir, "0.1.0", filepath.Base(dir)+"-0.1.0")
		for _, end := range []string{".pom", ".jar", "-sources.jar", "-javadoc.jar"} {
			p.run(t, repo, "gpg", "--quiet", "--verify", base+end+".asc", base+end)
		}
		model := readPom(t, base+".pom")
		if model.Parent.Version != "" || model.Version != "0.1.0" {
			t.Errorf("%s.pom: version %q, parent of version %q", base, model.Version, model.Parent.Version)
		}
		checkForCentral(t, model)
		if files := p.run(t, repo, "jar", "tf", base+".jar"); !strings.Contains(files, "META-INF/LICENSE\n") {
			t.Errorf("%s.jar has no licence:\n%s", base, files)
		}
	}
}

// javaProgram makes a project in an empty folder, whose build file names the library by the guide's
// lines.
func javaProgram(t *testing.T, sources, build, mark, lines string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file := text(t, "testdata/java/"+build)
	if !strings.Contains(file, mark) {
		t.Fatalf("testdata/java/%s has no %q", build, mark)
	}
	write(t, filepath.Join(dir, build), strings.Replace(file, mark, lines, 1))
	if err := os.CopyFS(filepath.Join(dir, "src/main/java"), os.DirFS(sources)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return name
}
