// The module's heap. A parse makes many small pieces and drops them all at
// once, so a piece freed goes to the list of its size class, new pieces are cut
// from the end of what is used, and heap_reset() forgets everything.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PAGE = 65536, GRAIN = 16, SMALL = 1024, CLASSES = SMALL / GRAIN + 1 + 32 };

// Stands before each piece and keeps it aligned.
typedef struct head {
	uint32_t class;
	uint32_t size; // what fits, without the head
	struct head *next;
	uint32_t unused;
} head;

extern unsigned char __heap_base;
static head *dropped[CLASSES];
static uintptr_t top, limit;

// Forgets all pieces. From here on malloc gives at most about `most` bytes.
void heap_reset(uint32_t most) {
	memset(dropped, 0, sizeof dropped);
	top = ((uintptr_t)&__heap_base + GRAIN - 1) & ~(uintptr_t)(GRAIN - 1);
	limit = top + most;
}

void *malloc(size_t n) {
	uint32_t class, size;
	if (n <= SMALL) {
		class = (uint32_t)(n + GRAIN - 1) / GRAIN;
		size = class * GRAIN;
	} else if (n <= 1u << 30) { // the next power of two
		uint32_t bits = 32 - (uint32_t)__builtin_clz((uint32_t)n - 1);
		class = SMALL / GRAIN + 1 + bits;
		size = 1u << bits;
	} else {
		return NULL;
	}
	head *h = dropped[class];
	if (h) {
		dropped[class] = h->next;
		return h + 1;
	}
	uintptr_t end = top + sizeof(head) + size;
	if (end > limit) return NULL;
	uintptr_t have = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
	if (end > have) {
		uintptr_t pages = (end - have + PAGE - 1) / PAGE;
		uintptr_t ahead = pages + have / PAGE / 2; // growth may copy all of it
		if (__builtin_wasm_memory_grow(0, ahead) == (size_t)-1 &&
		    __builtin_wasm_memory_grow(0, pages) == (size_t)-1)
			return NULL;
	}
	h = (head *)top;
	top = end;
	h->class = class;
	h->size = size;
	return h + 1;
}

void free(void *p) {
	if (!p) return;
	head *h = (head *)p - 1;
	h->next = dropped[h->class];
	dropped[h->class] = h;
}

void *calloc(size_t count, size_t size) {
	size_t n;
	if (__builtin_mul_overflow(count, size, &n)) return NULL;
	void *p = malloc(n);
	if (p) memset(p, 0, n);
	return p;
}

void *realloc(void *p, size_t n) {
	if (!p) return malloc(n);
	uint32_t size = ((head *)p - 1)->size;
	if (n <= size) return p;
	void *q = malloc(n);
	if (!q) return NULL;
	memcpy(q, p, size);
	free(p);
	return q;
}
