//go:build !purego

#include "textflag.h"

// SAFETY: n is at least 16, and dst has room for 2n+32 bytes: a byte becomes two
// at most, and sixteen are stored at a time. src is read within its n bytes only.
// BenchmarkAppendQuote justifies it; appendWords is the twin in Go, with which
// TestAppendBlocks and FuzzString compare it.
//
// Only VEX encodings are used, since mixing them with others costs dearly, and
// registers of 128 bits, which leave nothing to clean up. R8 is the quoteClasses:
// low nibbles, high nibbles, 0x0f, 0x70, short escapes and backslashes, sixteen
// bytes each.

// CLASS computes into X1 the classes of the bytes of X0, see quoteClasses.
#define CLASS \
	VPAND   X12, X0, X1 \
	VPSRLW  $4, X0, X2 \
	VPAND   X12, X2, X2 \
	VPSHUFB X1, X10, X1 \
	VPSHUFB X2, X11, X2 \
	VPAND   X1, X2, X1

// EXPAND writes the sixteen bytes of X0 to DI, a short escape in place of each of
// those that DX marks, and moves DI behind them: eight and eight, next to eight
// backslashes, by the shuffle that ·expand has for the eight marks.
#define EXPAND \
	VPADDUSB 48(R8), X0, X1 \
	VPSHUFB  X1, X9, X1 \
	VPMAXUB  X1, X0, X0 \
	VPUNPCKLQDQ X8, X0, X1 \
	VPUNPCKHQDQ X8, X0, X2 \
	MOVBLZX DX, AX \
	SHRL    $8, DX \
	MOVL    AX, BX \
	SHLL    $4, BX \
	VPSHUFB (R9)(BX*1), X1, X1 \
	VMOVDQU X1, (DI) \
	POPCNTL AX, AX \
	LEAQ    8(DI)(AX*1), DI \
	MOVL    DX, BX \
	SHLL    $4, BX \
	VPSHUFB (R9)(BX*1), X2, X2 \
	VMOVDQU X2, (DI) \
	POPCNTL DX, DX \
	LEAQ    8(DI)(DX*1), DI

// func hasAVX() bool
//
// SAFETY: CPUID and XGETBV only read what the processor and the system say; the
// second is there when the first has bit 27 of ECX set.
TEXT ·hasAVX(SB), NOSPLIT, $0-1
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18800000, CX // AVX, OSXSAVE and POPCNT
	CMPL CX, $0x18800000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX // registers of 128 and 256 bits are saved
	CMPL AX, $6
	JNE  no
	MOVB $1, ret+0(FP)
	RET
no:
	MOVB $0, ret+0(FP)
	RET

// func quoteBlocks(dst, src unsafe.Pointer, n int, c *quoteClasses) (read, written int)
TEXT ·quoteBlocks(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ c+24(FP), R8
	VMOVDQU 0(R8), X10
	VMOVDQU 16(R8), X11
	VMOVDQU 32(R8), X12
	MOVQ DI, R12
	MOVQ SI, R13
	SUBQ $16, CX

loop:
	VMOVDQU (SI), X0
	CLASS
	VPTEST  X12, X1
	JNZ     special
	VPXOR   X3, X3, X3
	VPCMPGTB X3, X1, X1
	VPMOVMSKB X1, DX
	TESTL   DX, DX
	JNZ     escape
	VMOVDQU X0, (DI)
	ADDQ    $16, DI
	ADDQ    $16, SI
	SUBQ    $16, CX
	JGE     loop
	JMP     tail

escape:
	VMOVDQU 64(R8), X9
	VMOVDQU 80(R8), X8
	LEAQ    ·expand(SB), R9
	EXPAND
	ADDQ    $16, SI
	SUBQ    $16, CX
	JGE     loop

tail:
	// CX is the number of bytes left, less 16. They are the last of the sixteen at
	// the end, moved to the front, blanks behind.
	ADDQ    CX, SI
	ADDQ    $16, CX
	JZ      done0
	VMOVDQU (SI), X0
	LEAQ    ·slide(SB), R10
	MOVQ    CX, R11
	NEGQ    R11
	VPSHUFB 16(R10)(R11*1), X0, X0
	VPOR    48(R10)(R11*1), X0, X0
	ADDQ    $16, SI
	CLASS
	VPTEST  X12, X1
	JNZ     special2
	VPXOR   X3, X3, X3
	VPCMPGTB X3, X1, X1
	VPMOVMSKB X1, DX
	TESTL   DX, DX
	JNZ     escape2
	VMOVDQU X0, (DI)
	ADDQ    CX, DI
	JMP     done

escape2:
	VMOVDQU 64(R8), X9
	VMOVDQU 80(R8), X8
	LEAQ    ·expand(SB), R9
	EXPAND
	LEAQ    -16(DI)(CX*1), DI
	JMP     done

special:
	JMP     cut

special2:
	// as if the block began where the bytes left do
	SUBQ    CX, SI

cut:
	// Only what stands before the first byte of the bad classes is written.
	VPAND   X12, X1, X2
	VPXOR   X3, X3, X3
	VPCMPGTB X3, X2, X2
	VPMOVMSKB X2, AX
	BSFL    AX, CX
	VPCMPGTB X3, X1, X1
	VPMOVMSKB X1, DX
	LEAL    -1(AX), BX
	NOTL    AX
	ANDL    AX, BX
	ANDL    BX, DX
	VMOVDQU 64(R8), X9
	VMOVDQU 80(R8), X8
	LEAQ    ·expand(SB), R9
	EXPAND
	LEAQ    -16(DI)(CX*1), DI
	ADDQ    CX, SI
	JMP     done

done0:
	ADDQ    $16, SI
done:
	SUBQ    R13, SI
	MOVQ    SI, read+32(FP)
	SUBQ    R12, DI
	MOVQ    DI, written+40(FP)
	RET
