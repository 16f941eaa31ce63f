#include "textflag.h"
#include "neon_arm64.h"

// The loops that need exp, as wide as those of vector_arm64.s.

#define EXPLOAD \
	MOVD $·expConst(SB), R9 \
	VLD1R.P 4(R9), [V16.S4] \
	VLD1R.P 4(R9), [V17.S4] \
	VLD1R.P 4(R9), [V18.S4] \
	VLD1R.P 4(R9), [V19.S4] \
	VLD1R.P 4(R9), [V20.S4] \
	VLD1R.P 4(R9), [V21.S4] \
	VLD1R.P 4(R9), [V22.S4] \
	VLD1R.P 4(R9), [V23.S4] \
	VLD1R.P 4(R9), [V24.S4] \
	VLD1R.P 4(R9), [V25.S4] \
	VLD1R (R9), [V26.S4]

// v becomes exp(v), as in vector512_amd64.s; V28..V31 are changed.
#define EXP(v) \
	FMUL(16, v, 28) \
	FMIN(25, 28, 28) \
	FRINTN(28, 28) \
	COPY(v, 29) \
	FMLS(17, 28, 29) \
	FMLS(18, 28, 29) \
	COPY(23, 30) \
	FMLA(24, 29, 30) \
	COPY(22, 31) \
	FMLA(30, 29, 31) \
	COPY(21, 30) \
	FMLA(31, 29, 30) \
	COPY(20, 31) \
	FMLA(30, 29, 31) \
	COPY(19, 30) \
	FMLA(31, 29, 30) \
	COPY(19, 31) \
	FMLA(30, 29, 31) \
	FCVTNS(28, 30) \
	SHL23(30, 30) \
	ADDINT(19, 30, 30) \
	FMUL(30, 31, 31) \
	FCMGT(28, 26, 30) \
	BIC(30, 31, v)

// func expNEON(n int, y, x *float32, scale, shift float32) float32
TEXT ·expNEON(SB), NOSPLIT, $0-36
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	MOVD x+16(FP), R2
	SPREAD(scale+24(FP), F14, V14)
	SPREAD(shift+28(FP), F15, V15)
	EXPLOAD
	ZERO4(V0, V1, V2, V3)
loop:
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	COPY(15, 8)
	COPY(15, 9)
	COPY(15, 10)
	COPY(15, 11)
	FMLA(4, 14, 8)
	FMLA(5, 14, 9)
	FMLA(6, 14, 10)
	FMLA(7, 14, 11)
	EXP(8)
	EXP(9)
	EXP(10)
	EXP(11)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R1)
	FADD(8, 0, 0)
	FADD(9, 1, 1)
	FADD(10, 2, 2)
	FADD(11, 3, 3)
	SUBS $16, R0
	BNE loop
	REDUCE
	FMOVS F0, ret+32(FP)
	RET

// func gateNEON(n int, h, z, u *float32): h = z*u/(1+exp(-z))
TEXT ·gateNEON(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R0
	MOVD h+8(FP), R1
	MOVD z+16(FP), R2
	MOVD u+24(FP), R3
	EXPLOAD
	VEOR V0.B16, V0.B16, V0.B16
loop:
	VLD1.P 16(R2), [V1.S4]
	VLD1.P 16(R3), [V2.S4]
	FSUB(1, 0, 3)
	EXP(3)
	FADD(3, 19, 3)
	FMUL(2, 1, 1)
	FDIV(3, 1, 1)
	VST1.P [V1.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func gateBackNEON(n int, dz, du, dh, z, u *float32): s = 1/(1+exp(-z)); du = dh*z*s; dz = dh*u*s*(1+z*(1-s))
TEXT ·gateBackNEON(SB), NOSPLIT, $0-48
	MOVD n+0(FP), R0
	MOVD dz+8(FP), R1
	MOVD du+16(FP), R2
	MOVD dh+24(FP), R3
	MOVD z+32(FP), R4
	MOVD u+40(FP), R5
	EXPLOAD
	VEOR V0.B16, V0.B16, V0.B16
loop:
	VLD1.P 16(R4), [V1.S4]
	VLD1.P 16(R5), [V2.S4]
	VLD1.P 16(R3), [V4.S4]
	FSUB(1, 0, 3)
	EXP(3)
	FADD(3, 19, 3)
	FDIV(3, 19, 3)
	FSUB(3, 19, 5)
	COPY(19, 6)
	FMLA(5, 1, 6)
	FMUL(4, 3, 3)
	FMUL(1, 3, 5)
	FMUL(2, 3, 3)
	FMUL(6, 3, 3)
	VST1.P [V5.S4], 16(R2)
	VST1.P [V3.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET
