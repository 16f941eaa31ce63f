package native

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// preloadable are packages that take long to import: a program that imports one is run by a zygote that has it.
var preloadable = strings.Fields("numpy pandas scipy sympy")

// usual are small modules that many programs import; every zygote has them.
var usual = slices.Clip(strings.Fields("bisect heapq math re string typing"))

// sets is how many sets of packages a lane keeps zygotes for, of each role.
const sets = 3

// lane is the right to run one program, and the zygotes for it, by their names. It belongs to one goroutine at a time.
type lane struct {
	names   []string // the one used last comes last
	zygotes map[string]*zygote
}

// wanted are the packages that texts import, of those that can be had warm.
func (b *Box) wanted(texts string) (found []string) {
	for _, name := range imports(texts) {
		if slices.Contains(b.packages, name) {
			found = append(found, name)
		}
	}
	return found
}

var errClosed = errors.New("the native sandbox is closed")

// enter waits for a lane.
func (b *Box) enter(ctx context.Context) (*lane, error) {
	select {
	case <-b.closed:
		return nil, errClosed
	default:
	}
	select {
	case l := <-b.lanes:
		return l, nil
	case <-b.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *Box) leave(l *lane) { b.lanes <- l }

// zygote is the lane's for a role and what the texts import, started where there is none.
func (b *Box) zygote(ctx context.Context, l *lane, r role, texts string) (*zygote, error) {
	packages := b.wanted(texts)
	name := strings.Join(append([]string{[]string{"suspect", "judge"}[r]}, packages...), " ")
	if z := l.zygotes[name]; z != nil {
		if !z.gone() {
			l.names = append(slices.DeleteFunc(l.names, func(n string) bool { return n == name }), name)
			return z, nil
		}
		l.drop(name)
	}
	z, err := b.start(ctx, r, packages)
	if err != nil && ctx.Err() == nil {
		z, err = b.start(ctx, r, packages) // somebody may have killed it
	}
	if err != nil {
		return nil, err
	}
	if l.zygotes == nil {
		l.zygotes = map[string]*zygote{}
	}
	l.names, l.zygotes[name] = append(l.names, name), z
	for len(l.names) > 2*sets { // both roles
		l.drop(l.names[0])
	}
	return z, nil
}

func (l *lane) drop(name string) {
	l.zygotes[name].close()
	delete(l.zygotes, name)
	l.names = slices.DeleteFunc(l.names, func(n string) bool { return n == name })
}

// Close ends the jails, once the programs in them have ended. Exec fails from then on.
func (b *Box) Close() error {
	b.once.Do(func() {
		close(b.closed)
		for range cap(b.lanes) {
			l := <-b.lanes
			for len(l.names) > 0 {
				l.drop(l.names[0])
			}
		}
	})
	return nil
}
