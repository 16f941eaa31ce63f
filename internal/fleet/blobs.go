package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// blobs are the contents that a worker fetched last, by their hashes: what several items need is fetched once.
type blobs struct {
	mu    sync.Mutex
	order []string // the oldest first
	by    map[string][]byte
	bytes int
}

// mostBlobs bounds what is remembered, in bytes.
const mostBlobs = 256 << 20

// Keep puts a content where all parties find it and returns its hash. A content that is there already is not sent again.
func (c *Conn) Keep(ctx context.Context, content []byte) (string, error) {
	if len(content) > mostPayload {
		return "", fmt.Errorf("a content of %d bytes: at most %d", len(content), mostPayload)
	}
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	if _, err := c.objects.GetInfo(ctx, blobName(hash)); err == nil {
		return hash, nil
	}
	if err := c.put(ctx, blobName(hash), content); err != nil {
		return "", fmt.Errorf("a content for the fleet: %w", err)
	}
	return hash, nil
}

// Blob is the content with a hash. The caller must not change it.
func (c *Conn) Blob(ctx context.Context, hash string) ([]byte, error) {
	b := &c.blobs
	b.mu.Lock() // one fetch at a time: several items of a run want the same
	defer b.mu.Unlock()
	if content, ok := b.by[hash]; ok {
		return content, nil
	}
	content, err := c.object(ctx, blobName(hash))
	if err != nil {
		return nil, fmt.Errorf("a content of the fleet's: %w", err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("the content %.12s is not what its hash says", hash)
	}
	if b.by == nil {
		b.by = map[string][]byte{}
	}
	b.by[hash], b.order = content, append(b.order, hash)
	for b.bytes += len(content); b.bytes > mostBlobs && len(b.order) > 1; b.order = b.order[1:] {
		b.bytes -= len(b.by[b.order[0]])
		delete(b.by, b.order[0])
	}
	return content, nil
}

func blobName(hash string) string { return "blob-" + hash }
