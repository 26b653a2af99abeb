//go:build !purego

#include "textflag.h"

// SAFETY: the caller keeps w < r, and sixteen bytes from r on inside the document
// until a quote or a control character is met, at which this stops: the document is
// padded with NUL. It writes below what it has read. BenchmarkUnescape justifies
// it; UnescapeInPlace without it is the twin in Go, see TestUnescapeBlocks.

// func unescapeBlocks(p unsafe.Pointer, w, r int, c *unescapeTables) (w2, r2 int)
TEXT ·unescapeBlocks(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), SI
	MOVQ w+8(FP), DI
	MOVQ r+16(FP), R8
	MOVQ c+24(FP), R9
	VMOVDQU 0(R9), X10  // quotes
	VMOVDQU 16(R9), X11 // backslashes
	VMOVDQU 32(R9), X12 // 0x1f
	VMOVDQU 48(R9), X13 // slashes
	LEAQ ·squeeze(SB), R10

loop:
	VMOVDQU   (SI)(R8*1), X0
	VPCMPEQB  X0, X11, X1
	VPCMPEQB  X0, X10, X2
	VPMINUB   X0, X12, X3
	VPCMPEQB  X0, X3, X3
	VPMOVMSKB X1, AX // backslashes
	VPMOVMSKB X2, BX // quotes
	VPMOVMSKB X3, CX // control characters
	LEAL      (AX)(AX*1), DX // what they escape
	TESTL     DX, AX
	JNZ       done
	VPCMPEQB  X0, X13, X4
	VPMOVMSKB X4, R11
	ORL       BX, R11 // what may be escaped here
	MOVL      DX, R12
	NOTL      R12
	ANDL      BX, R12 // quotes that are not escaped
	ORL       CX, R12
	NOTL      R11
	ANDL      DX, R11
	ANDL      $0xffff, R11 // escapes that are none of this function's
	ORL       R11, R12
	JNZ       done
	TESTL     AX, AX
	JZ        plain
	// Squeeze eight and eight bytes together, and leave a backslash at the end for
	// the next block.
	MOVBLZX AX, BX
	SHRL    $8, AX
	VMOVQ   (R10)(BX*8), X4
	VMOVQ   (R10)(AX*8), X5
	VPSRLDQ $8, X0, X1
	VPSHUFB X4, X0, X0
	VPSHUFB X5, X1, X1
	VMOVQ   X0, (SI)(DI*1)
	POPCNTL BX, BX
	SUBQ    BX, DI
	VMOVQ   X1, 8(SI)(DI*1)
	POPCNTL AX, BX
	SUBQ    BX, DI
	ADDQ    $16, DI
	SHRL    $7, AX
	ADDQ    $16, R8
	SUBQ    AX, R8
	JMP     loop

plain:
	VMOVDQU X0, (SI)(DI*1)
	ADDQ    $16, DI
	ADDQ    $16, R8
	JMP     loop

done:
	MOVQ DI, w2+32(FP)
	MOVQ R8, r2+40(FP)
	RET
