// Package zstdx provides Zstandard and LZ4 for envelopes and streams of ZMY native.
//
// Both are in one module of their own, so that programs that do not compress do not download them:
//
//	c, err := zstdx.NewZstd(zstdx.ZstdOptions{})
//	seal := zmy.SealOptions{Compressor: c}
//	open := zmy.OpenOptions{Compressors: []zmy.Compressor{c, zstdx.LZ4{}}}
//
// An envelope has at most 128 KiB by default; larger messages are sent as streams, see zmy.Send. Of
// 1,000 values of examples/order-large, 372 KB each on average, this many fit into one envelope:
//
//	                          fit   mean size
//	Zstandard, default level  995       91 KB
//	Zstandard, next level     999       90 KB
//	Zstandard, fastest level  928      102 KB
//	LZ4                       600      134 KB
//
// (ZMY_LONG=1 go test -run TestOrderLarge -v)
//
// Decompressing hostile bytes takes no more memory than the size that the envelope announces.
// Package zmy has checked that size against its limits before.
package zstdx
