#include "textflag.h"

// Registers as in gemm512_amd64.s, of half the width: Y0, Y1 a row of b; Y2, Y3 elements of a; Y4..Y15 the tile, two a row

#define ROW(at, s, c0, c1) \
	VBROADCASTSS at, s \
	VFMADD231PS Y0, s, c0 \
	VFMADD231PS Y1, s, c1

#define NEXT \
	ADDQ R9, SI \
	ADDQ BX, DI \
	DECQ CX

#define ZERO(c0, c1) \
	VXORPS c0, c0, c0 \
	VXORPS c1, c1, c1

#define ADD(c0, c1) \
	VADDPS 0(R14), c0, c0 \
	VADDPS 32(R14), c1, c1 \
	ADDQ AX, R14

#define PUT(c0, c1) \
	VMOVUPS c0, 0(DX) \
	VMOVUPS c1, 32(DX) \
	ADDQ AX, DX

// func tile256(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)
// rows is 6, 3 or 1; k at least 1. Sums are those of tile512.
TEXT ·tile256(SB), NOSPLIT, $0-80
	MOVQ k+8(FP), CX
	MOVQ a+16(FP), SI
	MOVQ ar+24(FP), R8
	MOVQ aq+32(FP), R9
	MOVQ b+40(FP), DI
	MOVQ ldb+48(FP), BX
	MOVQ c+56(FP), DX
	MOVQ ldc+64(FP), AX
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, BX
	SHLQ $2, AX
	LEAQ (R8)(R8*2), R10
	LEAQ (R8)(R8*4), R11
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)
	ZERO(Y12, Y13)
	ZERO(Y14, Y15)
	MOVQ DX, R14
	CMPQ rows+0(FP), $3
	JGT rows6
	JEQ rows3

rows1:
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	ROW((SI), Y2, Y4, Y5)
	NEXT
	JNZ rows1
	CMPQ add+72(FP), $0
	JEQ put1
	ADD(Y4, Y5)
put1:
	PUT(Y4, Y5)
	VZEROUPPER
	RET

rows3:
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	ROW((SI), Y2, Y4, Y5)
	ROW((SI)(R8*1), Y3, Y6, Y7)
	ROW((SI)(R8*2), Y2, Y8, Y9)
	NEXT
	JNZ rows3
	CMPQ add+72(FP), $0
	JEQ put3
	ADD(Y4, Y5)
	ADD(Y6, Y7)
	ADD(Y8, Y9)
put3:
	PUT(Y4, Y5)
	PUT(Y6, Y7)
	PUT(Y8, Y9)
	VZEROUPPER
	RET

rows6:
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	ROW((SI), Y2, Y4, Y5)
	ROW((SI)(R8*1), Y3, Y6, Y7)
	ROW((SI)(R8*2), Y2, Y8, Y9)
	ROW((SI)(R10*1), Y3, Y10, Y11)
	ROW((SI)(R8*4), Y2, Y12, Y13)
	ROW((SI)(R11*1), Y3, Y14, Y15)
	NEXT
	JNZ rows6
	CMPQ add+72(FP), $0
	JEQ put6
	ADD(Y4, Y5)
	ADD(Y6, Y7)
	ADD(Y8, Y9)
	ADD(Y10, Y11)
	ADD(Y12, Y13)
	ADD(Y14, Y15)
put6:
	PUT(Y4, Y5)
	PUT(Y6, Y7)
	PUT(Y8, Y9)
	PUT(Y10, Y11)
	PUT(Y12, Y13)
	PUT(Y14, Y15)
	VZEROUPPER
	RET
