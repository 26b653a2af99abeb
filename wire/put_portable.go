//go:build purego || !(amd64 || arm64 || loong64 || ppc64le)

package wire

func PutText(b []byte, s string) uint64 { return copyText(b, s) }

func putColumn(x []byte, l []string, heads []uint64) (n int, plain bool) {
	return copyColumn(x, l, heads)
}
