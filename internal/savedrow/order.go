package savedrow

import "sort"

// Settle puts rows in the order of their examples and rollouts, and numbers the rollouts of files that do not. Of several
// rows for one rollout the last one counts.
func Settle[T any](rows []T, of func(*T) *Row) []T {
	sort.SliceStable(rows, func(i, j int) bool { return of(&rows[i]).Example < of(&rows[j]).Example })
	numbered := true
	for i := range rows {
		numbered = numbered && of(&rows[i]).Rollout >= 0
	}
	if !numbered {
		for _, group := range Groups(rows, of) {
			for i := range group {
				of(&group[i]).Rollout = i
			}
		}
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := of(&rows[i]), of(&rows[j])
		return a.Example < b.Example || a.Example == b.Example && a.Rollout < b.Rollout
	})
	kept := rows[:0]
	for i := range rows {
		if n := len(kept); n > 0 && of(&kept[n-1]).Example == of(&rows[i]).Example && of(&kept[n-1]).Rollout == of(&rows[i]).Rollout {
			kept[n-1] = rows[i]
			continue
		}
		kept = append(kept, rows[i])
	}
	return kept
}

// Groups are the rows of each example, of rows that are in order. Groups are parts of the rows.
func Groups[T any](rows []T, of func(*T) *Row) [][]T {
	var groups [][]T
	for i := range rows {
		if i == 0 || of(&rows[i]).Example != of(&rows[i-1]).Example {
			groups = append(groups, rows[i:i:i])
		}
		last := len(groups) - 1
		start := i - len(groups[last])
		groups[last] = rows[start : i+1 : i+1]
	}
	return groups
}
