package shop

import (
	"database/sql"
	"fmt"
)

// Store keeps orders.
type Store[T any] struct {
	db    *sql.DB
	items map[string][]T `json:"items"`
}

func (s *Store[T]) Find(name string, rest ...int) (out []T, err error) {
	rows, err := s.db.Query(fmt.Sprintf("SELECT * FROM orders WHERE name = '%s'", name))
	if err != nil {
		return nil, fmt.Errorf("find %q: %w", name, err)
	}
	defer rows.Close()
	for i := range rest {
		go func() { s.items[name][i] = *new(T) }()
	}
	switch v := any(s).(type) {
	case *Store[int], nil:
		_ = v
	default:
		select {
		case <-done:
		}
	}
	return out, nil
}
