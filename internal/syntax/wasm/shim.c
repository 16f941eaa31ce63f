// The one door between Go and the tree-sitter runtime: parse a buffer, flatten
// the tree into an array, hand over the array and the language's names.
//
// GRAMMARS is set by build.sh, as in -DGRAMMARS='X(typescript) X(tsx)'; a
// language's number is its place in that list.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

void heap_reset(uint32_t most); // heap.c

#define EXPORT(name) __attribute__((export_name(#name)))

// Asks the host whether the parse should stop (its context ended).
__attribute__((import_module("host"), import_name("stop"))) int32_t host_stop(void);

#define X(name) extern const TSLanguage *tree_sitter_##name(void);
GRAMMARS
#undef X

typedef const TSLanguage *(*grammar)(void);
static const grammar grammars[] = {
#define X(name) tree_sitter_##name,
	GRAMMARS
#undef X
};

enum { OK = 0, STOPPED = 1, TOO_MANY_NODES = 2, BAD_LANGUAGE = 3 };
enum { NAMED = 1, ERROR = 2, MISSING = 4, EXTRA = 8 };
enum { HAS_ERROR = 1, TRUNCATED = 2 };
enum { FLAG_SHIFT = 12 };

// One node. Nodes stand in pre-order, so a node's subtree is the `size` nodes
// from it on. The Go side reads this layout: see decode.go.
typedef struct {
	uint16_t kind;
	uint16_t field_flags; // field id in the low 12 bits, flags above
	uint32_t start, end;  // bytes
	uint32_t row, end_row;
	uint32_t parent;   // 0 for the root, which is node 0
	uint32_t previous; // previous sibling, 0 for none
	uint32_t size;
} node;

// What the last call left for the host to read.
static struct {
	uint32_t data, length; // address; nodes or bytes
	uint32_t flags;
} result;

EXPORT(result) uint32_t get_result(void) { return (uint32_t)(uintptr_t)&result; }

// Programs take 100 to 200 bytes of heap for a byte of text; text made to
// confuse the parser can take 25,000.
enum { HEAP_BASE = 64 << 20, HEAP_PER_BYTE = 400, HEAP_MOST = 480 << 20 };

// Drops all that earlier parses left and returns room for n bytes of text, or
// 0. Every parse begins with it, so that none can see what came before.
EXPORT(begin) uint32_t begin(uint32_t n) {
	uint64_t most = HEAP_BASE + (uint64_t)n * HEAP_PER_BYTE;
	heap_reset(most < HEAP_MOST ? (uint32_t)most : HEAP_MOST);
	return (uint32_t)(uintptr_t)malloc(n);
}

enum { CHUNK = 8192 };

typedef struct {
	const char *text;
	uint32_t length;
	uint32_t steps_left;
} job;

// Counts a step: 100 operations of the parser, or a chunk that the lexer
// reads. True when the parse should end.
static bool step(job *j) {
	if (j->steps_left == 0) return true;
	j->steps_left--;
	if ((j->steps_left & 63) == 0 && host_stop()) j->steps_left = 0;
	return j->steps_left == 0;
}

// Hands over the text in chunks, so that a lexer which looks far ahead again
// and again is counted too. For a parse that should end the text ends here:
// the lexer then comes back soon, and progress() is asked.
static const char *read_chunk(void *payload, uint32_t offset, TSPoint at, uint32_t *length) {
	(void)at;
	job *j = payload;
	*length = 0;
	if (offset >= j->length || step(j)) return "";
	*length = j->length - offset < CHUNK ? j->length - offset : CHUNK;
	return j->text + offset;
}

static bool progress(TSParseState *state) { return step(state->payload); }

static uint32_t last_row(TSNode n) {
	TSPoint end = ts_node_end_point(n);
	// A node that ends with its newline ends on the line before that newline.
	if (end.column == 0 && end.row > ts_node_start_point(n).row) return end.row - 1;
	return end.row;
}

// Walks the tree without recursion, for its depth is the input's choice.
static int flatten(TSTree *tree, uint32_t max_nodes, uint32_t max_depth) {
	uint32_t count = 0, capacity = 1024, depth = 0, parent = 0, previous = 0;
	node *nodes = malloc(capacity * sizeof(node));
	if (!nodes) return TOO_MANY_NODES;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	int status = OK;
	for (;;) {
		if (count == capacity) {
			if (count >= max_nodes) {
				status = TOO_MANY_NODES;
				break;
			}
			capacity *= 2;
			node *grown = realloc(nodes, capacity * sizeof(node));
			if (!grown) {
				status = TOO_MANY_NODES;
				break;
			}
			nodes = grown;
			if ((count & 0xffff) == 0 && host_stop()) {
				status = STOPPED;
				break;
			}
		}
		TSNode n = ts_tree_cursor_current_node(&cursor);
		uint32_t flags = 0;
		if (ts_node_is_named(n)) flags |= NAMED;
		if (ts_node_is_error(n)) flags |= ERROR;
		if (ts_node_is_missing(n)) flags |= MISSING;
		if (ts_node_is_extra(n)) flags |= EXTRA;
		nodes[count] = (node){
			.kind = ts_node_symbol(n),
			.field_flags = (uint16_t)(ts_tree_cursor_current_field_id(&cursor) | flags << FLAG_SHIFT),
			.start = ts_node_start_byte(n),
			.end = ts_node_end_byte(n),
			.row = ts_node_start_point(n).row,
			.end_row = last_row(n),
			.parent = parent,
			.previous = previous,
			.size = 1,
		};
		uint32_t here = count++;
		if (depth < max_depth) {
			if (ts_tree_cursor_goto_first_child(&cursor)) {
				depth++;
				parent = here;
				previous = 0;
				continue;
			}
		} else if (ts_node_child_count(n) > 0) {
			result.flags |= TRUNCATED;
		}
		while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
			here = parent;
			nodes[here].size = count - here;
			parent = nodes[here].parent;
		}
		if (depth == 0) break;
		previous = here;
	}
	if (status != OK) return status;
	result.data = (uint32_t)(uintptr_t)nodes;
	result.length = count;
	return OK;
}

// Parses length bytes at text, which begin() returned. Nothing is freed at the
// end: the next begin() does that at once.
EXPORT(parse)
int32_t parse(uint32_t language, uint32_t text, uint32_t length, uint32_t max_steps, uint32_t max_nodes, uint32_t max_depth) {
	memset(&result, 0, sizeof result);
	if (language >= sizeof grammars / sizeof *grammars) return BAD_LANGUAGE;
	TSParser *parser = ts_parser_new();
	if (!ts_parser_set_language(parser, grammars[language]())) return BAD_LANGUAGE;
	job j = {(const char *)(uintptr_t)text, length, max_steps};
	TSInput input = {.payload = &j, .read = read_chunk, .encoding = TSInputEncodingUTF8};
	TSParseOptions options = {.payload = &j, .progress_callback = progress};
	TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
	// A parse that reached its end after its text was cut off is no tree either.
	if (!tree || j.steps_left == 0) return STOPPED;
	if (ts_node_has_error(ts_tree_root_node(tree))) result.flags |= HAS_ERROR;
	return flatten(tree, max_nodes, max_depth);
}

// Leaves the language's node kinds, each ended by a NUL, then its field names
// (number 0, no field, is the empty string) in the same way. The flags word
// holds the number of kinds. A begin() comes before and after it.
EXPORT(names) int32_t names(uint32_t language) {
	memset(&result, 0, sizeof result);
	if (language >= sizeof grammars / sizeof *grammars) return BAD_LANGUAGE;
	const TSLanguage *l = grammars[language]();
	uint32_t kinds = ts_language_symbol_count(l), fields = ts_language_field_count(l);
	char *out = NULL;
	for (int pass = 0; pass < 2; pass++) { // measure, then write
		uint32_t at = 0;
		for (uint32_t i = 0; i < kinds + fields + 1; i++) {
			const char *s = i < kinds ? ts_language_symbol_name(l, (TSSymbol)i)
			                          : ts_language_field_name_for_id(l, (TSFieldId)(i - kinds));
			uint32_t n = (uint32_t)strlen(s ? s : "") + 1;
			if (out) memcpy(out + at, s ? s : "", n);
			at += n;
		}
		if (!out && !(out = malloc(at))) return TOO_MANY_NODES;
		result.length = at;
	}
	result.data = (uint32_t)(uintptr_t)out;
	result.flags = kinds;
	return OK;
}

// The runtime's logging is never switched on. Defining what it would print
// with keeps stdio, and with it every WASI import, out of the module.
void *const stderr = NULL, *const stdout = NULL;
int fprintf(void *f, const char *format, ...) { (void)f, (void)format; return 0; }
int snprintf(char *s, size_t n, const char *format, ...) { (void)format; if (n) *s = 0; return 0; }
int vsnprintf(char *s, size_t n, const char *format, __builtin_va_list a) { (void)format, (void)a; if (n) *s = 0; return 0; }
int fputs(const char *s, void *f) { (void)s, (void)f; return 0; }
int fputc(int c, void *f) { (void)f; return c; }
int fclose(void *f) { (void)f; return 0; }
void *fdopen(int fd, const char *mode) { (void)fd, (void)mode; return NULL; }
_Noreturn void abort(void) { __builtin_trap(); }
