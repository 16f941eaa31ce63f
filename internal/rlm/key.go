package rlm

import (
	"fmt"
	"strings"
)

func turnKey(node string, turn int) string {
	key := fmt.Sprintf("t%03d", turn)
	if node != "" {
		key = node + "/" + key
	}
	return key
}

func cellKey(turn string, cell int) string { return fmt.Sprintf("%s.c%02d", turn, cell) }

func callKey(cell string, batch, item int) string {
	return fmt.Sprintf("%s.d%03d.%04d", cell, batch, item)
}

// hostKey names the n-th call of a cell that is noted for those who look at the trace.
func hostKey(cell string, n int) string { return fmt.Sprintf("%s.h%04d", cell, n) }

func synthesisKey(turn string) string { return turn + ".synthesis" }

// depth counts the loops above a node.
func depth(node string) int {
	if node == "" {
		return 0
	}
	return strings.Count(node, "/") + 1
}
