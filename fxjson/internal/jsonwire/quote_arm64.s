//go:build !purego

#include "textflag.h"

// SAFETY: as in quote_amd64.s: n is at least 16, dst has room for 2n+32 bytes, and
// src is read within its n bytes only. The twin in Go is appendWords.
//
// R3 is the quoteClasses; V16 to V23 keep its low nibbles, high nibbles, special
// classes, short escapes and backslashes, and V24 the bits of a mask.

// CLASS computes into V1 the classes of the bytes of V0, see quoteClasses.
#define CLASS \
	VAND  V22.B16, V0.B16, V1.B16 \
	VUSHR $4, V0.B16, V2.B16 \
	VTBL  V1.B16, [V16.B16], V1.B16 \
	VTBL  V2.B16, [V17.B16], V2.B16 \
	VAND  V1.B16, V2.B16, V1.B16

// MASK makes bits, one a byte, of the lanes of Vx that are all ones.
#define MASK(Vx, Rd) \
	VAND  V24.B16, Vx.B16, V3.B16 \
	VADDP V3.B16, V3.B16, V3.B16 \
	VADDP V3.B16, V3.B16, V3.B16 \
	VADDP V3.B16, V3.B16, V3.B16 \
	VMOV  V3.H[0], Rd

// EXPAND writes the sixteen bytes of V0 to R0, a short escape in place of each of
// those that R7 marks, and moves R0 behind them, see quote_amd64.s.
#define EXPAND \
	VTBL  V0.B16, [V19.B16], V1.B16 \
	VUMAX V1.B16, V0.B16, V0.B16 \
	VMOV  V20.B16, V1.B16 \
	VMOV  V20.B16, V2.B16 \
	VMOV  V0.D[0], V1.D[0] \
	VMOV  V0.D[1], V2.D[0] \
	AND   $0xff, R7, R8 \
	LSR   $8, R7, R7 \
	ADD   R8<<4, R9, R10 \
	VLD1  (R10), [V4.B16] \
	VTBL  V4.B16, [V1.B16], V1.B16 \
	VST1  [V1.B16], (R0) \
	MOVBU (R11)(R8), R10 \
	ADD   R10, R0 \
	ADD   R7<<4, R9, R10 \
	VLD1  (R10), [V4.B16] \
	VTBL  V4.B16, [V2.B16], V2.B16 \
	VST1  [V2.B16], (R0) \
	MOVBU (R11)(R7), R10 \
	ADD   R10, R0

// func quoteBlocks(dst, src unsafe.Pointer, n int, c *quoteClasses) (read, written int)
TEXT ·quoteBlocks(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	MOVD c+24(FP), R3
	ADD  $16, R3, R4
	VLD1 (R3), [V16.B16]
	VLD1 (R4), [V17.B16]
	ADD  $32, R3, R4
	VLD1 (R4), [V18.B16]
	ADD  $64, R3, R4
	VLD1 (R4), [V19.B16]
	ADD  $80, R3, R4
	VLD1 (R4), [V20.B16]
	VMOVI $15, V22.B16
	MOVD $0x8040201008040201, R4
	VMOV R4, V24.D[0]
	VMOV R4, V24.D[1]
	MOVD $·expand(SB), R9
	MOVD $·expandLen(SB), R11
	MOVD R0, R12
	MOVD R1, R13
	SUB  $16, R2

loop:
	VLD1 (R1), [V0.B16]
	CLASS
	VCMTST V18.B16, V1.B16, V5.B16 // special
	VCMTST V1.B16, V1.B16, V6.B16  // any class
	MASK(V6, R7)
	CBZ  R7, clean
	MASK(V5, R6)
	CBNZ R6, special
	EXPAND
	ADD  $16, R1
	SUBS $16, R2
	BGE  loop
	B    tail

clean:
	VST1 [V0.B16], (R0)
	ADD  $16, R0
	ADD  $16, R1
	SUBS $16, R2
	BGE  loop

tail:
	// R2 is the number of bytes left, less 16. They are the last of the sixteen at
	// the end, moved to the front, blanks behind.
	ADD  R2, R1
	ADD  $16, R2
	CBZ  R2, ended
	VLD1 (R1), [V0.B16]
	MOVD $·slide(SB), R4
	SUB  R2, R4, R4
	ADD  $16, R4, R5
	VLD1 (R5), [V1.B16]
	ADD  $48, R4, R5
	VLD1 (R5), [V2.B16]
	VTBL V1.B16, [V0.B16], V0.B16
	VORR V2.B16, V0.B16, V0.B16
	ADD  $16, R1
	CLASS
	VCMTST V18.B16, V1.B16, V5.B16
	VCMTST V1.B16, V1.B16, V6.B16
	MASK(V6, R7)
	MASK(V5, R6)
	CBNZ R6, tailspecial
	EXPAND
	SUB  $16, R0
	ADD  R2, R0
	B    done

tailspecial:
	SUB  R2, R1

special:
	// Only what stands before the first byte of a special class is written.
	RBIT R6, R2
	CLZ  R2, R2
	SUB  $1, R6, R4
	BIC  R6, R4
	AND  R4, R7
	EXPAND
	SUB  $16, R0
	ADD  R2, R0
	ADD  R2, R1
	B    done

ended:
	ADD  $16, R1

done:
	SUB  R13, R1
	MOVD R1, read+32(FP)
	SUB  R12, R0
	MOVD R0, written+40(FP)
	RET
