package similar

// mostTokens bounds what Edit compares of each text. Programs of benchmarks have some hundred tokens.
const mostTokens = 4000

// Edit is 1 - d/max(|a|, |b|), where d is the smallest number of tokens to insert, delete or replace that turns one
// text into the other (Levenshtein 1966, over tokens): 1 for the same tokens, 0 for none in common. Of very long texts
// the first 4,000 tokens count.
func Edit(a, b string) float64 { return EditTokens(Tokens(a), Tokens(b)) }

// EditTokens is Edit for texts that are split already.
func EditTokens(a, b []string) float64 {
	a, b = a[:min(len(a), mostTokens)], b[:min(len(b), mostTokens)]
	longest := max(len(a), len(b))
	if longest == 0 {
		return 1
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	x, y := number(a, b)
	return 1 - float64(distance(x, y))/float64(longest)
}

// number gives equal tokens equal numbers, for numbers compare faster.
func number(a, b []string) (x, y []int32) {
	ids := make(map[string]int32, len(a))
	number := func(tokens []string) []int32 {
		out := make([]int32, len(tokens))
		for i, t := range tokens {
			id, ok := ids[t]
			if !ok {
				id = int32(len(ids))
				ids[t] = id
			}
			out[i] = id
		}
		return out
	}
	return number(a), number(b)
}

func distance(a, b []int32) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
