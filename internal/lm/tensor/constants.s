//go:build amd64 || arm64

#include "textflag.h"

// Constants of exp: exp(v) = 2^i * exp(r), with i = round(v*log2(e)) and
// r = v - i*ln2 (ln2 in two parts, Cody and Waite); exp(r) by its Taylor series to r^6, |r| <= ln2/2: 1.2e-7 at most.
DATA ·expConst+0(SB)/4, $0x3fb8aa3b  // log2(e)
DATA ·expConst+4(SB)/4, $0x3f317200  // ln2, the part of 15 bits
DATA ·expConst+8(SB)/4, $0x35bfbe8e  // ln2, the rest
DATA ·expConst+12(SB)/4, $0x3f800000 // 1
DATA ·expConst+16(SB)/4, $0x3f000000 // 1/2
DATA ·expConst+20(SB)/4, $0x3e2aaaab // 1/6
DATA ·expConst+24(SB)/4, $0x3d2aaaab // 1/24
DATA ·expConst+28(SB)/4, $0x3c088889 // 1/120
DATA ·expConst+32(SB)/4, $0x3ab60b61 // 1/720
DATA ·expConst+36(SB)/4, $0x42fe0000 // 127
DATA ·expConst+40(SB)/4, $0xc2fa0000 // -125
GLOBL ·expConst(SB), RODATA|NOPTR, $44
