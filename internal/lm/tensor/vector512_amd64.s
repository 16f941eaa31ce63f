#include "textflag.h"

#define EXPLOAD \
	VBROADCASTSS ·expConst+0(SB), Z31 \
	VBROADCASTSS ·expConst+4(SB), Z30 \
	VBROADCASTSS ·expConst+8(SB), Z29 \
	VBROADCASTSS ·expConst+12(SB), Z28 \
	VBROADCASTSS ·expConst+16(SB), Z27 \
	VBROADCASTSS ·expConst+20(SB), Z26 \
	VBROADCASTSS ·expConst+24(SB), Z25 \
	VBROADCASTSS ·expConst+28(SB), Z24 \
	VBROADCASTSS ·expConst+32(SB), Z23 \
	VBROADCASTSS ·expConst+36(SB), Z22 \
	VBROADCASTSS ·expConst+40(SB), Z21

// v becomes exp(v); i, r and p are changed, t is not needed here. A NaN stays one: it is the operand that VMINPS keeps, and the test is "not less".
#define EXP(v, i, r, p, t) \
	VMULPS Z31, v, i \
	VMINPS i, Z22, i \
	VRNDSCALEPS $8, i, i \
	VCMPPS $5, Z21, i, K1 \
	VMOVAPS v, r \
	VFNMADD231PS Z30, i, r \
	VFNMADD231PS Z29, i, r \
	VMOVAPS Z23, p \
	VFMADD213PS Z24, r, p \
	VFMADD213PS Z25, r, p \
	VFMADD213PS Z26, r, p \
	VFMADD213PS Z27, r, p \
	VFMADD213PS Z28, r, p \
	VFMADD213PS Z28, r, p \
	VSCALEFPS.Z i, p, K1, v

// The sum of Z0's lanes in X0, by halves.
#define REDUCE \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPS Y1, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \
	VHADDPS X0, X0, X0 \
	VHADDPS X0, X0, X0

// func exp512(n int, y, x *float32, scale, shift float32) float32
TEXT ·exp512(SB), NOSPLIT, $0-36
	MOVQ n+0(FP), CX
	MOVQ y+8(FP), DI
	MOVQ x+16(FP), SI
	VBROADCASTSS scale+24(FP), Z2
	VBROADCASTSS shift+28(FP), Z3
	EXPLOAD
	VPXORD Z0, Z0, Z0
loop:
	VMOVUPS (SI), Z4
	VFMADD213PS Z3, Z2, Z4
	EXP(Z4, Z5, Z6, Z7, Z8)
	VMOVUPS Z4, (DI)
	VADDPS Z4, Z0, Z0
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JNZ loop
	REDUCE
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET

// func dot512(n int, a, b *float32) float32
TEXT ·dot512(SB), NOSPLIT, $0-28
	MOVQ n+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
loop:
	CMPQ CX, $32
	JLT last
	VMOVUPS (SI), Z2
	VMOVUPS 64(SI), Z3
	VFMADD231PS (DI), Z2, Z0
	VFMADD231PS 64(DI), Z3, Z1
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JMP loop
last:
	TESTQ CX, CX
	JZ done
	VMOVUPS (SI), Z2
	VFMADD231PS (DI), Z2, Z0
done:
	VADDPS Z1, Z0, Z0
	REDUCE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dot3x512(n int, a, b, c *float32) float32: the sum of (a*b)*c
TEXT ·dot3x512(SB), NOSPLIT, $0-36
	MOVQ n+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), DX
	VPXORD Z0, Z0, Z0
loop:
	VMOVUPS (SI), Z2
	VMULPS (DI), Z2, Z2
	VFMADD231PS (DX), Z2, Z0
	ADDQ $64, SI
	ADDQ $64, DI
	ADDQ $64, DX
	SUBQ $16, CX
	JNZ loop
	REDUCE
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET

// func max512(n int, x *float32) float32
TEXT ·max512(SB), NOSPLIT, $0-20
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	VMOVUPS (SI), Z0
loop:
	VMAXPS (SI), Z0, Z0
	ADDQ $64, SI
	SUBQ $16, CX
	JNZ loop
	VEXTRACTF64X4 $1, Z0, Y1
	VMAXPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0x4e, X0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0xb1, X0, X1
	VMAXPS X1, X0, X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define WIDTH 64
#define STEP $64
#define LANES $16
#define TWOLANES $32
#define AXPY ·axpy512(SB)
#define SCALE ·scale512(SB)
#define MULAFFINE ·mulAffine512(SB)
#define NORMMUL ·normMul512(SB)
#define NORMBACK ·normBack512(SB)
#define MULADD ·mulAdd512(SB)
#define SOFTBACK ·softBack512(SB)
#define ROTATE ·rotate512(SB)
#define GATE ·gate512(SB)
#define GATEBACK ·gateBack512(SB)
#define ADAM ·adam512(SB)
#define ROWTIMES ·rowTimes512(SB)
#include "vector_amd64.h"
#include "row_amd64.h"
