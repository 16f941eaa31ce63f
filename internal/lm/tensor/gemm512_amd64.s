#include "textflag.h"

// Registers of a tile:
//   CX k, SI a, R8 stride of a's rows, R9 stride along k, DI b, BX stride of b's rows, DX c, AX stride of c's rows (bytes)
//   R10, R11, R12, R13, R15: 3, 5, 7, 9 and 11 times R8
//   Z0, Z1 a row of b; Z2, Z3, Z28..Z31 elements of a; Z4..Z27 the tile, two registers a row

#define ROW(at, s, c0, c1) \
	VBROADCASTSS at, s \
	VFMADD231PS Z0, s, c0 \
	VFMADD231PS Z1, s, c1

#define NEXT \
	ADDQ R9, SI \
	ADDQ BX, DI \
	DECQ CX

#define ZERO(c0, c1) \
	VPXORD c0, c0, c0 \
	VPXORD c1, c1, c1

#define ADD(c0, c1) \
	VADDPS 0(R14), c0, c0 \
	VADDPS 64(R14), c1, c1 \
	ADDQ AX, R14

#define PUT(c0, c1) \
	VMOVUPS c0, 0(DX) \
	VMOVUPS c1, 64(DX) \
	ADDQ AX, DX

// func tile512(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)
// rows is 12, 8, 4 or 1; k at least 1. Each element is a sum of fused products in the order of k, from zero; then the
// old value is added to it where add is set.
TEXT ·tile512(SB), NOSPLIT, $0-80
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
	LEAQ (R10)(R8*4), R12
	LEAQ (R8)(R8*8), R13
	LEAQ (R10)(R8*8), R15
	ZERO(Z4, Z5)
	ZERO(Z6, Z7)
	ZERO(Z8, Z9)
	ZERO(Z10, Z11)
	ZERO(Z12, Z13)
	ZERO(Z14, Z15)
	ZERO(Z16, Z17)
	ZERO(Z18, Z19)
	ZERO(Z20, Z21)
	ZERO(Z22, Z23)
	ZERO(Z24, Z25)
	ZERO(Z26, Z27)
	MOVQ DX, R14
	CMPQ rows+0(FP), $8
	JGT rows12
	JEQ rows8
	CMPQ rows+0(FP), $4
	JEQ rows4

rows1:
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	ROW((SI), Z2, Z4, Z5)
	NEXT
	JNZ rows1
	CMPQ add+72(FP), $0
	JEQ put1
	ADD(Z4, Z5)
put1:
	PUT(Z4, Z5)
	VZEROUPPER
	RET

rows4:
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	ROW((SI), Z2, Z4, Z5)
	ROW((SI)(R8*1), Z3, Z6, Z7)
	ROW((SI)(R8*2), Z28, Z8, Z9)
	ROW((SI)(R10*1), Z29, Z10, Z11)
	NEXT
	JNZ rows4
	CMPQ add+72(FP), $0
	JEQ put4
	ADD(Z4, Z5)
	ADD(Z6, Z7)
	ADD(Z8, Z9)
	ADD(Z10, Z11)
put4:
	PUT(Z4, Z5)
	PUT(Z6, Z7)
	PUT(Z8, Z9)
	PUT(Z10, Z11)
	VZEROUPPER
	RET

rows8:
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	ROW((SI), Z2, Z4, Z5)
	ROW((SI)(R8*1), Z3, Z6, Z7)
	ROW((SI)(R8*2), Z28, Z8, Z9)
	ROW((SI)(R10*1), Z29, Z10, Z11)
	ROW((SI)(R8*4), Z30, Z12, Z13)
	ROW((SI)(R11*1), Z31, Z14, Z15)
	ROW((SI)(R10*2), Z2, Z16, Z17)
	ROW((SI)(R12*1), Z3, Z18, Z19)
	NEXT
	JNZ rows8
	CMPQ add+72(FP), $0
	JEQ put8
	ADD(Z4, Z5)
	ADD(Z6, Z7)
	ADD(Z8, Z9)
	ADD(Z10, Z11)
	ADD(Z12, Z13)
	ADD(Z14, Z15)
	ADD(Z16, Z17)
	ADD(Z18, Z19)
put8:
	PUT(Z4, Z5)
	PUT(Z6, Z7)
	PUT(Z8, Z9)
	PUT(Z10, Z11)
	PUT(Z12, Z13)
	PUT(Z14, Z15)
	PUT(Z16, Z17)
	PUT(Z18, Z19)
	VZEROUPPER
	RET

rows12:
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	ROW((SI), Z2, Z4, Z5)
	ROW((SI)(R8*1), Z3, Z6, Z7)
	ROW((SI)(R8*2), Z28, Z8, Z9)
	ROW((SI)(R10*1), Z29, Z10, Z11)
	ROW((SI)(R8*4), Z30, Z12, Z13)
	ROW((SI)(R11*1), Z31, Z14, Z15)
	ROW((SI)(R10*2), Z2, Z16, Z17)
	ROW((SI)(R12*1), Z3, Z18, Z19)
	ROW((SI)(R8*8), Z28, Z20, Z21)
	ROW((SI)(R13*1), Z29, Z22, Z23)
	ROW((SI)(R11*2), Z30, Z24, Z25)
	ROW((SI)(R15*1), Z31, Z26, Z27)
	NEXT
	JNZ rows12
	CMPQ add+72(FP), $0
	JEQ put12
	ADD(Z4, Z5)
	ADD(Z6, Z7)
	ADD(Z8, Z9)
	ADD(Z10, Z11)
	ADD(Z12, Z13)
	ADD(Z14, Z15)
	ADD(Z16, Z17)
	ADD(Z18, Z19)
	ADD(Z20, Z21)
	ADD(Z22, Z23)
	ADD(Z24, Z25)
	ADD(Z26, Z27)
put12:
	PUT(Z4, Z5)
	PUT(Z6, Z7)
	PUT(Z8, Z9)
	PUT(Z10, Z11)
	PUT(Z12, Z13)
	PUT(Z14, Z15)
	PUT(Z16, Z17)
	PUT(Z18, Z19)
	PUT(Z20, Z21)
	PUT(Z22, Z23)
	PUT(Z24, Z25)
	PUT(Z26, Z27)
	VZEROUPPER
	RET
