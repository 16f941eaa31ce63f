#include "textflag.h"
#include "neon_arm64.h"

// func rowTimesNEON(n, k int, y, x, b *float32, ldb, add int): y = x B, or y += x B, in four sums as on amd64.
TEXT ·rowTimesNEON(SB), NOSPLIT, $0-56
	MOVD n+0(FP), R0
	MOVD y+16(FP), R1
	MOVD b+32(FP), R3
	MOVD ldb+40(FP), R5
	LSL $2, R5
columns:
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
	ZERO4(V8, V9, V10, V11)
	ZERO4(V12, V13, V14, V15)
	MOVD k+8(FP), R4
	MOVD x+24(FP), R2
	MOVD R3, R6
four:
	SUBS $4, R4
	BLT rest
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 0)
	FMLA(21, 16, 1)
	FMLA(22, 16, 2)
	FMLA(23, 16, 3)
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 4)
	FMLA(21, 16, 5)
	FMLA(22, 16, 6)
	FMLA(23, 16, 7)
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 8)
	FMLA(21, 16, 9)
	FMLA(22, 16, 10)
	FMLA(23, 16, 11)
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 12)
	FMLA(21, 16, 13)
	FMLA(22, 16, 14)
	FMLA(23, 16, 15)
	B four
rest:
	ADDS $4, R4
	BEQ sum
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 0)
	FMLA(21, 16, 1)
	FMLA(22, 16, 2)
	FMLA(23, 16, 3)
	SUBS $1, R4
	BEQ sum
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 4)
	FMLA(21, 16, 5)
	FMLA(22, 16, 6)
	FMLA(23, 16, 7)
	SUBS $1, R4
	BEQ sum
	VLD1R.P 4(R2), [V16.S4]
	VLD1.P (R6)(R5), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(20, 16, 8)
	FMLA(21, 16, 9)
	FMLA(22, 16, 10)
	FMLA(23, 16, 11)
sum:
	FADD(4, 0, 0)
	FADD(12, 8, 8)
	FADD(5, 1, 1)
	FADD(13, 9, 9)
	FADD(6, 2, 2)
	FADD(14, 10, 10)
	FADD(7, 3, 3)
	FADD(15, 11, 11)
	FADD(8, 0, 0)
	FADD(9, 1, 1)
	FADD(10, 2, 2)
	FADD(11, 3, 3)
	MOVD add+48(FP), R7
	CBZ R7, put
	VLD1 (R1), [V16.S4, V17.S4, V18.S4, V19.S4]
	FADD(16, 0, 0)
	FADD(17, 1, 1)
	FADD(18, 2, 2)
	FADD(19, 3, 3)
put:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R1)
	ADD $64, R3
	SUBS $16, R0
	BNE columns
	RET
