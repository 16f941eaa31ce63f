// Instructions on four float32 that Go's assembler has no names for, with the order of its operands: the last register is
// written, and FSUB, FDIV and FCMGT have their second operand first (FSUB(m, n, d) is d = n - m). FMLA and FMLS are fused,
// d += n*m and d -= n*m. BIC is d = n and not m; FRINTN and FCVTNS round to the nearest, ties to even.

#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FADDP(m, n, d) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV(m, n, d) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d))
#define FMAX(m, n, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(m, n, d) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FMLA(m, n, d) WORD $(0x4E20CC00 | (m)<<16 | (n)<<5 | (d))
#define FMLS(m, n, d) WORD $(0x4EA0CC00 | (m)<<16 | (n)<<5 | (d))
#define FCMGT(m, n, d) WORD $(0x6EA0E400 | (m)<<16 | (n)<<5 | (d))
#define ADDINT(m, n, d) WORD $(0x4EA08400 | (m)<<16 | (n)<<5 | (d))
#define BIC(m, n, d) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))
#define COPY(n, d) WORD $(0x4EA01C00 | (n)<<16 | (n)<<5 | (d))
#define FNEG(n, d) WORD $(0x6EA0F800 | (n)<<5 | (d))
#define FSQRT(n, d) WORD $(0x6EA1F800 | (n)<<5 | (d))
#define FRINTN(n, d) WORD $(0x4E218800 | (n)<<5 | (d))
#define FCVTNS(n, d) WORD $(0x4E21A800 | (n)<<5 | (d))
#define SHL23(n, d) WORD $(0x4F375400 | (n)<<5 | (d))

#define ZERO4(a, b, c, d) \
	VEOR a.B16, a.B16, a.B16 \
	VEOR b.B16, b.B16, b.B16 \
	VEOR c.B16, c.B16, c.B16 \
	VEOR d.B16, d.B16, d.B16

// The sum of the lanes of V0..V3 in F0, by halves.
#define REDUCE \
	FADD(2, 0, 0) \
	FADD(3, 1, 1) \
	FADD(1, 0, 0) \
	FADDP(0, 0, 0) \
	FADDP(0, 0, 0)

#define SPREAD(arg, f, v) \
	FMOVS arg, f \
	VDUP v.S[0], v.S4
