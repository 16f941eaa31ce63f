#include <stdio.h>
#include "store.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct node {
    struct node *next;
    unsigned char name[16];
} node_t;

static int find(const char *name, node_t **out, ...)
{
    char buf[64] = {0};
    strcpy(buf, name); /* unbounded */
    for (node_t *n = head; n != NULL; n = n->next) {
        if (!strcmp((char *)n->name, buf) && n->next) {
            *out = n;
            goto done;
        }
    }
    switch (buf[0]) {
    case 'a': printf("%s\n", name); break;
    default: return -1;
    }
done:
    return sizeof(node_t) * MAX(1, 2);
}
