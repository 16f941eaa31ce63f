package fleet

import (
	"context"
	"encoding/json"
	"time"
)

// SignersAge is how long a party may take a list of signers for the hub's latest.
const SignersAge = time.Second

// signers are the keys whose results count. The hub is asked again when the list is too old; one that does not answer changes nothing.
func (c *Conn) signers(ctx context.Context) []string {
	c.signing.Lock()
	defer c.signing.Unlock()
	if time.Since(c.asked) < SignersAge {
		return c.state.Signers
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	began := time.Now() // what the hub says is at least that new
	if entry, err := c.fleet.Get(ctx, "fleet"); err == nil {
		var s state
		if json.Unmarshal(entry.Value(), &s) == nil {
			c.state.Signers, c.asked = s.Signers, began
		}
	}
	return c.state.Signers
}
