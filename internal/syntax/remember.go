package syntax

import "crypto/sha256"

// maxRemembered bounds the nodes of the trees that a parser remembers, of 32 bytes each: about 40 MB of code.
const maxRemembered = 10 << 20

// memory is what a parser remembers of the texts that it parsed.
type memory struct {
	holders int // who asked for it
	trees   map[text]*Tree
	nodes   int
}

// text is what a tree was made of.
type text struct {
	language string
	sum      [sha256.Size]byte
}

// Remember has the parser give the same tree again to whoever parses the same text again, until forget is called: one review asks
// several times for the trees of the same files. What is more than a bound is not remembered and parsed anew. Several may ask for
// it at once.
func (p *Parser) Remember() (forget func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.remembered.holders++; p.remembered.trees == nil {
		p.remembered.trees = map[text]*Tree{}
	}
	forgotten := false
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if forgotten {
			return
		}
		forgotten = true
		if p.remembered.holders--; p.remembered.holders == 0 {
			p.remembered = memory{}
		}
	}
}

// recall gives the tree of a text that is remembered. ok is false where nobody asked for that.
func (p *Parser) recall(language string, src []byte) (key text, tree *Tree, ok bool) {
	p.mu.Lock()
	ok = p.remembered.holders > 0
	p.mu.Unlock()
	if !ok {
		return text{}, nil, false
	}
	key = text{language, sha256.Sum256(src)}
	p.mu.Lock()
	defer p.mu.Unlock()
	return key, p.remembered.trees[key], true
}

// keep remembers a tree, where there is room.
func (p *Parser) keep(key text, tree *Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.remembered.holders == 0 || p.remembered.trees[key] != nil || p.remembered.nodes+len(tree.records) > maxRemembered {
		return
	}
	p.remembered.trees[key] = tree
	p.remembered.nodes += len(tree.records)
}
