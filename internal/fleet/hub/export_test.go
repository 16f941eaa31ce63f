package hub

import "github.com/nats-io/nkeys"

// Admin is the key of a tenant's admin: whoever has it may do everything in the tenant's account.
func (h *Hub) Admin(tenant string) nkeys.KeyPair {
	for _, t := range h.tenants {
		if t.name == tenant {
			return t.keys.pairs[RoleAdmin]
		}
	}
	return nil
}
