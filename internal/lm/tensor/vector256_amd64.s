#include "textflag.h"

// Half the width of vector512_amd64.s: its sixteen lanes are two registers here, so that sums come out the same.

#define EXPLOAD

#define CONST(i, t) VBROADCASTSS ·expConst+i(SB), t

// v becomes exp(v), as in vector512_amd64.s; the others are changed. 2^i is made in its exponent's place.
#define EXP(v, i, r, p, t) \
	CONST(0, t) \
	VMULPS t, v, i \
	CONST(36, t) \
	VMINPS i, t, i \
	VROUNDPS $8, i, i \
	VMOVAPS v, r \
	CONST(4, t) \
	VFNMADD231PS t, i, r \
	CONST(8, t) \
	VFNMADD231PS t, i, r \
	CONST(32, p) \
	CONST(28, t) \
	VFMADD213PS t, r, p \
	CONST(24, t) \
	VFMADD213PS t, r, p \
	CONST(20, t) \
	VFMADD213PS t, r, p \
	CONST(16, t) \
	VFMADD213PS t, r, p \
	CONST(12, t) \
	VFMADD213PS t, r, p \
	VFMADD213PS t, r, p \
	VCVTPS2DQ i, r \
	VPSLLD $23, r, r \
	VPADDD t, r, r \
	VMULPS r, p, v \
	CONST(40, t) \
	VCMPPS $5, t, i, t \
	VANDPS t, v, v

// The sum of the lanes of Y0 and Y1 in X0, by halves.
#define REDUCE \
	VADDPS Y1, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \
	VHADDPS X0, X0, X0 \
	VHADDPS X0, X0, X0

// func exp256(n int, y, x *float32, scale, shift float32) float32
TEXT ·exp256(SB), NOSPLIT, $0-36
	MOVQ n+0(FP), CX
	MOVQ y+8(FP), DI
	MOVQ x+16(FP), SI
	VBROADCASTSS scale+24(FP), Y2
	VBROADCASTSS shift+28(FP), Y3
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
loop:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y9
	VFMADD213PS Y3, Y2, Y4
	VFMADD213PS Y3, Y2, Y9
	EXP(Y4, Y5, Y6, Y7, Y8)
	EXP(Y9, Y10, Y11, Y12, Y13)
	VMOVUPS Y4, (DI)
	VMOVUPS Y9, 32(DI)
	VADDPS Y4, Y0, Y0
	VADDPS Y9, Y1, Y1
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JNZ loop
	REDUCE
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET

// func dot256(n int, a, b *float32) float32
TEXT ·dot256(SB), NOSPLIT, $0-28
	MOVQ n+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
loop:
	CMPQ CX, $32
	JLT last
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VMOVUPS 64(SI), Y6
	VMOVUPS 96(SI), Y7
	VFMADD231PS (DI), Y4, Y0
	VFMADD231PS 32(DI), Y5, Y1
	VFMADD231PS 64(DI), Y6, Y2
	VFMADD231PS 96(DI), Y7, Y3
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JMP loop
last:
	TESTQ CX, CX
	JZ done
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VFMADD231PS (DI), Y4, Y0
	VFMADD231PS 32(DI), Y5, Y1
done:
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	REDUCE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dot3x256(n int, a, b, c *float32) float32: the sum of (a*b)*c
TEXT ·dot3x256(SB), NOSPLIT, $0-36
	MOVQ n+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), DX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
loop:
	VMOVUPS (SI), Y2
	VMOVUPS 32(SI), Y3
	VMULPS (DI), Y2, Y2
	VMULPS 32(DI), Y3, Y3
	VFMADD231PS (DX), Y2, Y0
	VFMADD231PS 32(DX), Y3, Y1
	ADDQ $64, SI
	ADDQ $64, DI
	ADDQ $64, DX
	SUBQ $16, CX
	JNZ loop
	REDUCE
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET

// func max256(n int, x *float32) float32
TEXT ·max256(SB), NOSPLIT, $0-20
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
loop:
	VMAXPS (SI), Y0, Y0
	VMAXPS 32(SI), Y1, Y1
	ADDQ $64, SI
	SUBQ $16, CX
	JNZ loop
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

#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define WIDTH 32
#define STEP $32
#define LANES $8
#define TWOLANES $16
#define AXPY ·axpy256(SB)
#define SCALE ·scale256(SB)
#define MULAFFINE ·mulAffine256(SB)
#define NORMMUL ·normMul256(SB)
#define NORMBACK ·normBack256(SB)
#define MULADD ·mulAdd256(SB)
#define SOFTBACK ·softBack256(SB)
#define ROTATE ·rotate256(SB)
#define GATE ·gate256(SB)
#define GATEBACK ·gateBack256(SB)
#define ADAM ·adam256(SB)
#define ROWTIMES ·rowTimes256(SB)
#include "vector_amd64.h"
#include "row_amd64.h"
