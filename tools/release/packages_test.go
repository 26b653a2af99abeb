package release

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackageVersions: a release sets the version of every package, and of nothing else.
func TestPackageVersions(t *testing.T) {
	if !strings.Contains(text(t, "../../gen/go.mod"), "replace ") {
		t.Skip("this is the commit of a release: its versions are set")
	}
	dir := t.TempDir()
	for _, p := range places {
		names, err := filepath.Glob("../../" + p.glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, strings.TrimPrefix(filepath.ToSlash(name), "../../"))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := setPackageVersions(dir, "v1.2.3-rc.1"); err != nil {
		t.Fatal(err)
	}
	for name, version := range pomVersions(t, dir) {
		if version != "1.2.3-rc.1" {
			t.Errorf("%s: version %s", name, version)
		}
	}
	set := regexp.MustCompile(`name = "(.*)"\nversion = "1\.2\.3-rc\.1"\n`)
	for name, want := range map[string]string{"rust/Cargo.lock": "exchange testee zmy", "rust/bench/Cargo.lock": "zmy"} {
		own := set.FindAllStringSubmatch(text(t, filepath.Join(dir, name)), -1)
		var got []string
		for _, m := range own {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: set for %v, want %s", name, got, want)
		}
	}
	var web struct{ Version string }
	if err := json.Unmarshal([]byte(text(t, filepath.Join(dir, "web/package.json"))), &web); err != nil || web.Version != "1.2.3-rc.1" {
		t.Errorf("web/package.json: version %q, %v", web.Version, err)
	}
	if err := setPackageVersions(dir, "v1.2.4"); err == nil || !strings.Contains(err.Error(), "the main branch has version 0.0.0") {
		t.Errorf("a second time: error %v", err)
	}
}

// pom is what the tests read of a pom.xml.
type pom struct {
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Name       string `xml:"name"`
	About      string `xml:"description"`
	URL        string `xml:"url"`
	Parent     struct {
		Version string `xml:"version"`
	} `xml:"parent"`
	Licenses   []string `xml:"licenses>license>url"`
	Developers []string `xml:"developers>developer>name"`
	SCM        struct {
		URL        string `xml:"url"`
		Connection string `xml:"connection"`
		Developer  string `xml:"developerConnection"`
	} `xml:"scm"`
	Skip     string `xml:"properties>maven.deploy.skip"`
	Profiles []struct {
		ID      string   `xml:"id"`
		Plugins []string `xml:"build>plugins>plugin>artifactId"`
	} `xml:"profiles>profile"`
}

func readPom(t *testing.T, name string) *pom {
	t.Helper()
	p := new(pom)
	if err := xml.Unmarshal([]byte(text(t, name)), p); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// pomVersions returns the versions in java/pom.xml and of the parents in java/*/pom.xml.
func pomVersions(t *testing.T, root string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "java/*/pom.xml"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%d modules of Maven, %v", len(names), err)
	}
	versions := map[string]string{"java/pom.xml": readPom(t, filepath.Join(root, "java/pom.xml")).Version}
	for _, name := range names {
		versions[name] = readPom(t, name).Parent.Version
	}
	return versions
}

// checkForCentral checks that a POM has what Maven Central asks for
// (https://central.sonatype.org/publish/requirements/).
func checkForCentral(t *testing.T, p *pom) {
	t.Helper()
	const repository = "https://github.com/zmylab/zmy"
	if p.Name == "" || p.About == "" || p.URL != repository || len(p.Licenses) != 1 || len(p.Developers) != 1 {
		t.Errorf("the POM of %s lacks name, description, url, licence or developers: %+v", p.ArtifactID, p)
	}
	if p.SCM.URL != repository || p.SCM.Connection == "" || p.SCM.Developer == "" {
		t.Errorf("the POM of %s lacks a part of scm: %+v", p.ArtifactID, p.SCM)
	}
}

// TestMavenPackages: the libraries are released, and no other module is.
func TestMavenPackages(t *testing.T) {
	parent := readPom(t, "../../java/pom.xml")
	if parent.Skip != "true" {
		t.Errorf("java/pom.xml: maven.deploy.skip is %q, so every module is released", parent.Skip)
	}
	checkForCentral(t, parent)
	plugins := map[string][]string{}
	for _, p := range parent.Profiles {
		plugins[p.ID] = p.Plugins
	}
	for _, want := range []string{"flatten-maven-plugin", "maven-source-plugin", "maven-javadoc-plugin", "maven-gpg-plugin"} {
		if !slices.Contains(plugins["release"], want) {
			t.Errorf("profile release has no %s", want)
		}
	}
	if !slices.Equal(plugins["central"], []string{"central-publishing-maven-plugin"}) {
		t.Errorf("profile central has plugins %v", plugins["central"])
	}
	var released []string
	modules, err := filepath.Glob("../../java/*/pom.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range modules {
		p := readPom(t, name)
		if p.Skip != "false" {
			continue
		}
		released = append(released, p.ArtifactID)
		if p.Name == "" || p.About == "" {
			t.Errorf("%s: name %q, description %q", name, p.Name, p.About)
		}
	}
	slices.Sort(released)
	if want := []string{"zmy", "zmy-netty"}; !slices.Equal(released, want) {
		t.Errorf("released are %v, want %v", released, want)
	}
}

// TestCargoPackage: the crate has what a user needs and no test.
func TestCargoPackage(t *testing.T) {
	need(t, "cargo")
	output(t, "../../rust", nil, "cargo", "fetch", "--quiet", "--locked") // needs the network once, as make test-rust
	var other []string
	for name := range strings.Lines(output(t, "../../rust", nil, "cargo", "package", "--list", "--offline", "--allow-dirty", "-p", "zmy")) {
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "src/") {
			other = append(other, name)
		}
	}
	slices.Sort(other)
	want := ".cargo_vcs_info.json Cargo.lock Cargo.toml Cargo.toml.orig LICENSE README.md tests/golden/order_lite.rs"
	if got := strings.Join(other, " "); got != want {
		t.Errorf("beside src the crate has %s, want %s", got, want)
	}
	forReaders(t, "../../rust/zmy")
}

// TestNpmPackage: the package has the script, its types, and nothing of the tests.
func TestNpmPackage(t *testing.T) {
	need(t, "npm")
	var packs []struct{ Files []struct{ Path string } }
	if err := json.Unmarshal([]byte(output(t, "../../web", nil, "npm", "pack", "--dry-run", "--json", "--offline")), &packs); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range packs[0].Files {
		got = append(got, f.Path)
	}
	slices.Sort(got)
	if want := []string{"LICENSE", "README.md", "package.json", "zmy-sse.d.ts", "zmy-sse.js"}; !slices.Equal(got, want) {
		t.Errorf("the package has %v, want %v", got, want)
	}
	forReaders(t, "../../web")
}

// forReaders checks what is read outside of the repository: the licence is its own, and the README's
// links are absolute.
func forReaders(t *testing.T, dir string) {
	t.Helper()
	if text(t, filepath.Join(dir, "LICENSE")) != text(t, "../../LICENSE") {
		t.Errorf("%s/LICENSE is not the repository's; copy that", dir)
	}
	links := regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text(t, filepath.Join(dir, "README.md")), -1)
	if len(links) == 0 {
		t.Errorf("%s/README.md has no link to the guide", dir)
	}
	for _, m := range links {
		if path, ok := strings.CutPrefix(m[1], "https://github.com/zmylab/zmy/blob/main/"); !ok {
			t.Errorf("%s/README.md: link %s; want one that begins with https://github.com/zmylab/zmy/blob/main/", dir, m[1])
		} else {
			file, _, _ := strings.Cut(path, "#")
			if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
				t.Errorf("%s/README.md: %v", dir, err)
			}
		}
	}
}

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// need skips the test if one of the programs is not in PATH.
func need(t *testing.T, programs ...string) {
	t.Helper()
	if names := missing(programs...); names != "" {
		t.Skipf("SKIPPED, as %s is not in PATH: this package was not tested; .ci/tools rehearse installs what Debian has", names)
	}
}
