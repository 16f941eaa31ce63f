package rlm

import (
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// divide gives each of count children an equal part of half of what their parent's pool has left.
func divide(pool *llm.Budget, count int) []*llm.Budget {
	pools := make([]*llm.Budget, count)
	if pool == nil || count == 0 {
		return pools
	}
	left, capped := pool.Remaining()
	share := left / 2 / money.USD(count)
	if !capped {
		share = llm.NoCap
	}
	for i := range pools {
		pools[i] = pool.Child(share)
	}
	return pools
}

// exhausted reports that a pool does not hold enough for another turn of any use: a request of that many characters and
// a reply of that many tokens. Without a cap or a price it never is.
func exhausted(pool *llm.Budget, price *llm.Price, chars, tokens int) bool {
	left, capped := pool.Remaining()
	return capped && price != nil && left < price.WorstCase(upperBound(chars), int64(tokens))
}

// upperBound is a number of tokens that a request of that many bytes of text cannot exceed: a token stands for at least
// one byte, and a request has some tokens of its own around the text.
func upperBound(bytes int) int64 { return int64(bytes) + 256 }
