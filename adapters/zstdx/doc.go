// Package zstdx brings Zstandard and LZ4 to envelopes and streams of ZMY native.
//
// Both stand in one module, apart from the core, so that programs which do not
// compress download neither:
//
//	c, err := zstdx.NewZstd(zstdx.ZstdOptions{})
//	seal := zmy.SealOptions{Compressor: c}
//	open := zmy.OpenOptions{Compressors: []zmy.Compressor{c, zstdx.LZ4{}}}
//
// Of 1,000 values of examples/order-large, 372 KB each on average, this many fit
// one envelope of 128 KiB: 995 by Zstandard at its default level (91 KB on
// average), 999 at the level above (90 KB), 928 at the fastest (102 KB), 600 by
// LZ4 (134 KB). The others travel as streams: see zmy.Send.
// (ZMY_LONG=1 go test -run TestOrderLarge -v)
//
// Decompression of hostile bytes takes no more memory than the size that the
// envelope announced, which package zmy has then checked against its limits.
package zstdx
