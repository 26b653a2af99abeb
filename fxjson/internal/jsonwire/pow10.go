package jsonwire

//go:generate go test -run TestPow10Table -update-pow10

// pow10Table in pow10_table.go has the powers of ten from 1e-348 to 1e348 as 128-bit fractions,
// normalized and truncated: 10^k = (hi<<64 | lo) * 2^(floorLog2Pow10(k)-127) * (1 + less than
// 2^-127). TestPow10Table computes it anew.
const (
	minPow10 = -348
	maxPow10 = 348
)

type uint128 struct{ hi, lo uint64 }

// exactPow10 reports whether the table's entry for 10^k is exact.
func exactPow10(k int) bool { return 0 <= k && k <= 55 }

// floorLog2Pow10 returns floor(log2(10^k)) for |k| <= 1233.
func floorLog2Pow10(k int) int { return (k * 1741647) >> 19 }

// floorLog10Pow2 returns floor(log10(2^q)) for |q| <= 1650.
func floorLog10Pow2(q int) int { return (q * 315653) >> 20 }

// floorLog10ThreeQuartersPow2 returns floor(log10(2^q * 3/4)) for |q| <= 1500.
func floorLog10ThreeQuartersPow2(q int) int { return (q*1262611 - 524031) >> 22 }
