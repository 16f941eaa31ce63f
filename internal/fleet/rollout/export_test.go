package rollout

import "context"

// PlaceBlob takes up a snapshot of a name, from nowhere.
func PlaceBlob(ctx context.Context, dir, name string) error {
	return placeBlob(ctx, nil, dir, snapshot{Name: name})
}
