//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeSpace returns the bytes that an ordinary user can write to the folder's file system.
func freeSpace(dir string) (bytes uint64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
