#include "textflag.h"
#include "neon_arm64.h"

// A quarter of the width of vector512_amd64.s: its sixteen lanes are four registers here, so that sums come out the same.
// Where amd64 subtracts what it has from a product, the sign is changed before instead of after: it matters for zeros.

// func dotNEON(n int, a, b *float32) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-28
	MOVD n+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
loop:
	CMP $32, R0
	BLT last
	VLD1.P 64(R1), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1.P 64(R2), [V12.S4, V13.S4, V14.S4, V15.S4]
	VLD1.P 64(R1), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R2), [V20.S4, V21.S4, V22.S4, V23.S4]
	FMLA(8, 12, 0)
	FMLA(9, 13, 1)
	FMLA(10, 14, 2)
	FMLA(11, 15, 3)
	FMLA(16, 20, 4)
	FMLA(17, 21, 5)
	FMLA(18, 22, 6)
	FMLA(19, 23, 7)
	SUB $32, R0
	B loop
last:
	CBZ R0, done
	VLD1 (R1), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1 (R2), [V12.S4, V13.S4, V14.S4, V15.S4]
	FMLA(8, 12, 0)
	FMLA(9, 13, 1)
	FMLA(10, 14, 2)
	FMLA(11, 15, 3)
done:
	FADD(4, 0, 0)
	FADD(5, 1, 1)
	FADD(6, 2, 2)
	FADD(7, 3, 3)
	REDUCE
	FMOVS F0, ret+24(FP)
	RET

// func dot3xNEON(n int, a, b, c *float32) float32: the sum of (a*b)*c
TEXT ·dot3xNEON(SB), NOSPLIT, $0-36
	MOVD n+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD c+24(FP), R3
	ZERO4(V0, V1, V2, V3)
loop:
	VLD1.P 64(R1), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1.P 64(R2), [V12.S4, V13.S4, V14.S4, V15.S4]
	VLD1.P 64(R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	FMUL(12, 8, 8)
	FMUL(13, 9, 9)
	FMUL(14, 10, 10)
	FMUL(15, 11, 11)
	FMLA(16, 8, 0)
	FMLA(17, 9, 1)
	FMLA(18, 10, 2)
	FMLA(19, 11, 3)
	SUBS $16, R0
	BNE loop
	REDUCE
	FMOVS F0, ret+32(FP)
	RET

// func maxNEON(n int, x *float32) float32
TEXT ·maxNEON(SB), NOSPLIT, $0-20
	MOVD n+0(FP), R0
	MOVD x+8(FP), R1
	VLD1 (R1), [V0.S4, V1.S4, V2.S4, V3.S4]
loop:
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	FMAX(4, 0, 0)
	FMAX(5, 1, 1)
	FMAX(6, 2, 2)
	FMAX(7, 3, 3)
	SUBS $16, R0
	BNE loop
	FMAX(1, 0, 0)
	FMAX(3, 2, 2)
	FMAX(2, 0, 0)
	VEXT $8, V0.B16, V0.B16, V1.B16
	FMAX(1, 0, 0)
	VEXT $4, V0.B16, V0.B16, V1.B16
	FMAX(1, 0, 0)
	FMOVS F0, ret+16(FP)
	RET

// func axpyNEON(n int, y *float32, s float32, x *float32)
TEXT ·axpyNEON(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	SPREAD(s+16(FP), F14, V14)
	MOVD x+24(FP), R2
loop:
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1 (R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMLA(4, 14, 0)
	FMLA(5, 14, 1)
	FMLA(6, 14, 2)
	FMLA(7, 14, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R1)
	SUBS $16, R0
	BNE loop
	RET

// func scaleNEON(n int, y *float32, s float32)
TEXT ·scaleNEON(SB), NOSPLIT, $0-20
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	SPREAD(s+16(FP), F14, V14)
loop:
	VLD1 (R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMUL(0, 14, 0)
	FMUL(1, 14, 1)
	FMUL(2, 14, 2)
	FMUL(3, 14, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R1)
	SUBS $16, R0
	BNE loop
	RET

// func mulAffineNEON(n int, y, x *float32, slope, constant float32): y *= slope*x + constant
TEXT ·mulAffineNEON(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	MOVD x+16(FP), R2
	SPREAD(slope+24(FP), F14, V14)
	SPREAD(constant+28(FP), F15, V15)
loop:
	VLD1.P 16(R2), [V0.S4]
	VLD1 (R1), [V1.S4]
	COPY(15, 2)
	FMLA(0, 14, 2)
	FMUL(2, 1, 1)
	VST1.P [V1.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func normMulNEON(n int, y, x, w *float32, r float32): y = x*r*w
TEXT ·normMulNEON(SB), NOSPLIT, $0-36
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	MOVD x+16(FP), R2
	MOVD w+24(FP), R3
	SPREAD(r+32(FP), F14, V14)
loop:
	VLD1.P 16(R2), [V0.S4]
	VLD1.P 16(R3), [V1.S4]
	FMUL(0, 14, 0)
	FMUL(1, 0, 0)
	VST1.P [V0.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func normBackNEON(n int, dx, dy, x, w *float32, r, s float32): dx += r*(dy*w - x*s)
TEXT ·normBackNEON(SB), NOSPLIT, $0-48
	MOVD n+0(FP), R0
	MOVD dx+8(FP), R1
	MOVD dy+16(FP), R2
	MOVD x+24(FP), R3
	MOVD w+32(FP), R4
	SPREAD(r+40(FP), F14, V14)
	SPREAD(s+44(FP), F15, V15)
loop:
	VLD1.P 16(R3), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	VLD1.P 16(R4), [V2.S4]
	VLD1 (R1), [V3.S4]
	FMUL(0, 15, 0)
	FNEG(0, 0)
	FMLA(2, 1, 0)
	FMLA(0, 14, 3)
	VST1.P [V3.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func mulAddNEON(n int, y, a, b *float32, s float32): y += a*b*s
TEXT ·mulAddNEON(SB), NOSPLIT, $0-36
	MOVD n+0(FP), R0
	MOVD y+8(FP), R1
	MOVD a+16(FP), R2
	MOVD b+24(FP), R3
	SPREAD(s+32(FP), F14, V14)
loop:
	VLD1.P 16(R2), [V0.S4]
	VLD1.P 16(R3), [V1.S4]
	VLD1 (R1), [V2.S4]
	FMUL(1, 0, 0)
	FMLA(0, 14, 2)
	VST1.P [V2.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func softBackNEON(n int, d, p *float32, s, scale float32): d = p*(d-s)*scale
TEXT ·softBackNEON(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R0
	MOVD d+8(FP), R1
	MOVD p+16(FP), R2
	SPREAD(s+24(FP), F14, V14)
	SPREAD(scale+28(FP), F15, V15)
loop:
	VLD1 (R1), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	FSUB(14, 0, 0)
	FMUL(1, 0, 0)
	FMUL(15, 0, 0)
	VST1.P [V0.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET

// func rotateNEON(n, half int, x, cos, sin *float32, dir float32): n is a multiple of 2*half, half of 16
TEXT ·rotateNEON(SB), NOSPLIT, $0-44
	MOVD n+0(FP), R0
	MOVD half+8(FP), R5
	MOVD x+16(FP), R1
	SPREAD(dir+40(FP), F14, V14)
head:
	MOVD cos+24(FP), R2
	MOVD sin+32(FP), R3
	ADD R5<<2, R1, R4
	MOVD R5, R6
turn:
	VLD1.P 16(R2), [V0.S4]
	VLD1.P 16(R3), [V1.S4]
	VLD1 (R1), [V2.S4]
	VLD1 (R4), [V3.S4]
	FMUL(1, 14, 1)
	FMUL(3, 1, 4)
	FNEG(4, 4)
	FMUL(2, 1, 5)
	FMLA(2, 0, 4)
	FMLA(3, 0, 5)
	VST1.P [V4.S4], 16(R1)
	VST1.P [V5.S4], 16(R4)
	SUBS $4, R6
	BNE turn
	MOVD R4, R1
	SUB R5<<1, R0
	CBNZ R0, head
	RET

// func adamNEON(n int, w, z, m, v *float32, c *[9]float32)
// x = c0*z; m = c1*m + c2*x; v = c3*v + c4*x*x; w = c8*w - c5*m/(sqrt(c6*v)+c7)
TEXT ·adamNEON(SB), NOSPLIT, $0-48
	MOVD n+0(FP), R0
	MOVD w+8(FP), R1
	MOVD z+16(FP), R2
	MOVD m+24(FP), R3
	MOVD v+32(FP), R4
	MOVD c+40(FP), R5
	VLD1R.P 4(R5), [V16.S4]
	VLD1R.P 4(R5), [V17.S4]
	VLD1R.P 4(R5), [V18.S4]
	VLD1R.P 4(R5), [V19.S4]
	VLD1R.P 4(R5), [V20.S4]
	VLD1R.P 4(R5), [V21.S4]
	VLD1R.P 4(R5), [V22.S4]
	VLD1R.P 4(R5), [V23.S4]
	VLD1R (R5), [V24.S4]
loop:
	VLD1.P 16(R2), [V0.S4]
	VLD1 (R3), [V1.S4]
	VLD1 (R4), [V2.S4]
	VLD1 (R1), [V3.S4]
	FMUL(0, 16, 0)
	FMUL(18, 0, 4)
	FMLA(1, 17, 4)
	VST1.P [V4.S4], 16(R3)
	FMUL(0, 0, 0)
	FMUL(20, 0, 0)
	FMLA(2, 19, 0)
	VST1.P [V0.S4], 16(R4)
	FMUL(22, 0, 0)
	FSQRT(0, 0)
	FADD(23, 0, 0)
	FMUL(21, 4, 4)
	FDIV(0, 4, 4)
	FNEG(4, 4)
	FMLA(3, 24, 4)
	VST1.P [V4.S4], 16(R1)
	SUBS $4, R0
	BNE loop
	RET
