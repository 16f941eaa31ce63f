package nano

import "github.com/deeprepo/deeprepo/internal/runfile"

// Exchange is one turn as the policy knows it: its view and the cell that it wrote.
type Exchange = runfile.Exchange

// Turn is one sampled reply, token by token, with what a trainer needs to know of it.
type Turn struct {
	Context []int32   // the tokens before the reply
	Reply   []int32   // what the policy wrote, with the token that ends a cell unless it was cut
	LogP    []float32 // of each token of Reply, at the temperature it was sampled at
	Entropy []float32 // of the distribution that each was drawn from, in nats
	Cut     bool      // the reply reached its limit before it ended
}
