package plan

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestParseVendored(t *testing.T) {
	const text = `# example.com/a v1.2.3
## explicit; go 1.20
example.com/a
example.com/a/sub
# example.com/b v0.1.0 => ../b
## explicit
example.com/b
# example.com/c v1.0.0
# example.com/b => ../b
`
	want := []Vendored{
		{"example.com/a", "v1.2.3", "1.20", []string{"example.com/a", "example.com/a/sub"}},
		{"example.com/b", "v0.1.0", "", []string{"example.com/b"}},
		{"example.com/c", "v1.0.0", "", nil},
	}
	if got := ParseVendored(text); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestVendorDir(t *testing.T) {
	dir := t.TempDir()
	if got := vendorDir(dir, ""); got != "" {
		t.Errorf("without a folder: %s", got)
	}
	vendor := filepath.Join(dir, "vendor")
	if err := os.Mkdir(vendor, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(vendor, "modules.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string]string{"": vendor, "-mod=vendor": vendor, "-v -mod=mod": "", "--mod=readonly": ""} {
		if got := vendorDir(dir, flags); got != want {
			t.Errorf("GOFLAGS=%s: %q, want %q", flags, got, want)
		}
	}
}
