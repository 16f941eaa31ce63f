#include "textflag.h"

// Eight bits to 32, sixteen columns of rows that lie cols elements apart in both.

#define WIDEN \
	VPMOVSXBD 0(SI), Y0 \
	VPMOVSXBD 8(SI), Y1 \
	VCVTDQ2PS Y0, Y0 \
	VCVTDQ2PS Y1, Y1 \
	VMULPS Y2, Y0, Y0 \
	VMULPS Y3, Y1, Y1 \
	VMOVUPS Y0, 0(DI) \
	VMOVUPS Y1, 32(DI) \
	ADDQ BX, SI \
	ADDQ AX, DI \
	DECQ CX

// func widen256(rows, cols int, y *float32, x *int8, scale *float32): y = scale of the column * x
TEXT ·widen256(SB), NOSPLIT, $0-40
	MOVQ rows+0(FP), CX
	MOVQ cols+8(FP), BX
	MOVQ y+16(FP), DI
	MOVQ x+24(FP), SI
	MOVQ scale+32(FP), DX
	MOVQ BX, AX
	SHLQ $2, AX
	VMOVUPS 0(DX), Y2
	VMOVUPS 32(DX), Y3
columns:
	WIDEN
	JNZ columns
	VZEROUPPER
	RET

// func widenRows256(rows, cols int, y *float32, x *int8, scale *float32): y = scale of the row * x
TEXT ·widenRows256(SB), NOSPLIT, $0-40
	MOVQ rows+0(FP), CX
	MOVQ cols+8(FP), BX
	MOVQ y+16(FP), DI
	MOVQ x+24(FP), SI
	MOVQ scale+32(FP), DX
	MOVQ BX, AX
	SHLQ $2, AX
rows:
	VBROADCASTSS (DX), Y2
	VMOVAPS Y2, Y3
	ADDQ $4, DX
	WIDEN
	JNZ rows
	VZEROUPPER
	RET
