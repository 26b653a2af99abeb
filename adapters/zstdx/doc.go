// Package zstdx provides Zstandard and LZ4 for envelopes and streams of ZMY native.
//
// Both are in one module of their own, so that programs that do not compress do not download them:
//
//	c, err := zstdx.NewZstd(zstdx.ZstdOptions{})
//	seal := zmy.SealOptions{Compressor: c}
//	open := zmy.OpenOptions{Compressors: []zmy.Compressor{c, zstdx.LZ4{}}}
//
// Of 1,000 values of examples/order-large, 372 KB each on average, this many fit into one envelope
// of 128 KiB: 995 with Zstandard at its default level (91 KB on average), 999 at the level above
// (90 KB), 928 at the fastest level (102 KB), 600 with LZ4 (134 KB). The others are sent as
// streams: see zmy.Send. (ZMY_LONG=1 go test -run TestOrderLarge -v)
//
// Decompressing hostile bytes takes no more memory than the size that the envelope announces.
// Package zmy has checked that size against its limits before.
package zstdx
