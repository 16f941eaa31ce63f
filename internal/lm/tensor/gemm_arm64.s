#include "textflag.h"
#include "neon_arm64.h"

// Registers of a tile: R1..R8 its rows of a, R9 the stride along k, R10 b, R11 the stride of its rows, R12 k, R13 c, R14
// the stride of its rows (bytes), R15 add; V0, V1 a row of b; V2..V7, V24, V25 elements of a; V8..V23 the tile, two a row

#define ROW(at, s, c0, c1) \
	VLD1R.P (at)(R9), [s.S4] \
	VFMLA V0.S4, s.S4, c0.S4 \
	VFMLA V1.S4, s.S4, c1.S4

#define ZERO(c0, c1) \
	VEOR c0.B16, c0.B16, c0.B16 \
	VEOR c1.B16, c1.B16, c1.B16

#define ADDROW(c0, c1) \
	VLD1.P (R17)(R14), [V0.S4, V1.S4] \
	FADD(0, c0, c0) \
	FADD(1, c1, c1)

// func tileNEON(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)
// rows is 8, 4 or 1; k at least 1. Sums are those of tile512.
TEXT ·tileNEON(SB), NOSPLIT, $0-80
	MOVD rows+0(FP), R16
	MOVD k+8(FP), R12
	MOVD a+16(FP), R1
	MOVD ar+24(FP), R17
	MOVD aq+32(FP), R9
	MOVD b+40(FP), R10
	MOVD ldb+48(FP), R11
	MOVD c+56(FP), R13
	MOVD ldc+64(FP), R14
	MOVD add+72(FP), R15
	LSL $2, R17
	LSL $2, R9
	LSL $2, R11
	LSL $2, R14
	ADD R17, R1, R2
	ADD R17, R2, R3
	ADD R17, R3, R4
	ADD R17, R4, R5
	ADD R17, R5, R6
	ADD R17, R6, R7
	ADD R17, R7, R8
	ZERO(V8, V9)
	ZERO(V10, V11)
	ZERO(V12, V13)
	ZERO(V14, V15)
	ZERO(V16, V17)
	ZERO(V18, V19)
	ZERO(V20, V21)
	ZERO(V22, V23)
	CMP $4, R16
	BGT rows8
	BEQ rows4

rows1:
	VLD1.P (R10)(R11), [V0.S4, V1.S4]
	ROW(R1, V2, V8, V9)
	SUBS $1, R12
	BNE rows1
	CBZ R15, put1
	MOVD R13, R17
	ADDROW(8, 9)
put1:
	VST1.P [V8.S4, V9.S4], (R13)(R14)
	RET

rows4:
	VLD1.P (R10)(R11), [V0.S4, V1.S4]
	ROW(R1, V2, V8, V9)
	ROW(R2, V3, V10, V11)
	ROW(R3, V4, V12, V13)
	ROW(R4, V5, V14, V15)
	SUBS $1, R12
	BNE rows4
	CBZ R15, put4
	MOVD R13, R17
	ADDROW(8, 9)
	ADDROW(10, 11)
	ADDROW(12, 13)
	ADDROW(14, 15)
put4:
	VST1.P [V8.S4, V9.S4], (R13)(R14)
	VST1.P [V10.S4, V11.S4], (R13)(R14)
	VST1.P [V12.S4, V13.S4], (R13)(R14)
	VST1.P [V14.S4, V15.S4], (R13)(R14)
	RET

rows8:
	VLD1.P (R10)(R11), [V0.S4, V1.S4]
	ROW(R1, V2, V8, V9)
	ROW(R2, V3, V10, V11)
	ROW(R3, V4, V12, V13)
	ROW(R4, V5, V14, V15)
	ROW(R5, V6, V16, V17)
	ROW(R6, V7, V18, V19)
	ROW(R7, V24, V20, V21)
	ROW(R8, V25, V22, V23)
	SUBS $1, R12
	BNE rows8
	CBZ R15, put8
	MOVD R13, R17
	ADDROW(8, 9)
	ADDROW(10, 11)
	ADDROW(12, 13)
	ADDROW(14, 15)
	ADDROW(16, 17)
	ADDROW(18, 19)
	ADDROW(20, 21)
	ADDROW(22, 23)
put8:
	VST1.P [V8.S4, V9.S4], (R13)(R14)
	VST1.P [V10.S4, V11.S4], (R13)(R14)
	VST1.P [V12.S4, V13.S4], (R13)(R14)
	VST1.P [V14.S4, V15.S4], (R13)(R14)
	VST1.P [V16.S4, V17.S4], (R13)(R14)
	VST1.P [V18.S4, V19.S4], (R13)(R14)
	VST1.P [V20.S4, V21.S4], (R13)(R14)
	VST1.P [V22.S4, V23.S4], (R13)(R14)
	RET
