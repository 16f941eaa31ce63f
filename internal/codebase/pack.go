package codebase

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// A packed codebase is a zstd stream: the mark, root and commit, then files, skips and warnings, each list after its length.
// Numbers are varints, and a string follows its length. Lines, languages and hashes are derived again.
const (
	packMark   = "deeprepo codebase 1\n"
	maxPacked  = 768 << 20 // bytes, unpacked: all that Load takes by default, were each of its bytes three in UTF-8, and more
	maxEntries = 1 << 21   // of a list
)

// Pack is the snapshot as bytes that [Unpack] reads on another machine, the same for the same codebase. The error is for what
// is too large, and for texts with NUL, which [Load] never gives.
func (c *Codebase) Pack() ([]byte, error) { return c.pack(maxPacked) }

func (c *Codebase) pack(most int64) ([]byte, error) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	p := packer{w: z, left: most - int64(len(packMark))}
	p.write([]byte(packMark))
	p.text(c.root)
	p.text(c.commit)
	p.length(len(c.files))
	for i, f := range c.files {
		p.fail(sound(f.Path, c.texts[i]))
		p.text(f.Path)
		p.number(int64(f.Bytes))
		p.text(c.texts[i])
	}
	p.length(len(c.skipped))
	for _, s := range c.skipped {
		source := int64(0)
		if s.Source {
			source = 1
		}
		p.fail(sound(s.Path, s.Why))
		p.text(s.Path)
		p.text(s.Why)
		p.text(s.By)
		p.number(source)
		p.number(s.Bytes)
		p.number(int64(s.Lines))
	}
	p.length(len(c.warned))
	for _, w := range c.warned {
		p.fail(sound("", w))
		p.text(w)
	}
	if err := errors.Join(p.err, z.Close()); err != nil {
		return nil, fmt.Errorf("pack the codebase: %w", err)
	}
	return out.Bytes(), nil
}

// sound is an error for a path or a text that no codebase holds.
func sound(path, text string) error {
	switch {
	case !utf8.ValidString(path) || !utf8.ValidString(text):
		return fmt.Errorf("%q is not UTF-8", path)
	case strings.Contains(path, "\x00") || strings.Contains(text, "\x00"):
		return fmt.Errorf("%q holds NUL", path)
	}
	return nil
}

// packer writes until its first error.
type packer struct {
	w    io.Writer
	left int64
	err  error
}

func (p *packer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *packer) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

func (p *packer) number(n int64) {
	b := binary.AppendVarint(nil, n)
	p.left -= int64(len(b))
	p.write(b)
}

func (p *packer) length(n int) {
	if n > maxEntries {
		p.fail(fmt.Errorf("%d entries are more than %d", n, maxEntries))
	}
	p.number(int64(n))
}

func (p *packer) text(s string) {
	p.number(int64(len(s)))
	if p.left -= int64(len(s)); p.left < 0 {
		p.fail(errors.New("it is too large"))
	}
	p.write([]byte(s))
}

// Unpack reads what [Codebase.Pack] wrote. What it is given may be hostile: it takes no more memory than the largest codebase.
func Unpack(packed []byte) (*Codebase, error) { return unpack(packed, maxPacked) }

func unpack(packed []byte, most int64) (*Codebase, error) {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, fmt.Errorf("unpack a codebase: %w", err)
	}
	defer z.Close()
	u := &unpacker{r: z, left: most}
	c := u.codebase()
	if u.err != nil {
		return nil, fmt.Errorf("unpack a codebase: %w", u.err)
	}
	return c, nil
}

// unpacker reads until its first error, and gives zero values after it.
type unpacker struct {
	r    io.Reader
	left int64
	err  error
	one  [1]byte
}

func (u *unpacker) codebase() *Codebase {
	if mark := u.bytes(int64(len(packMark))); u.err == nil && string(mark) != packMark {
		u.err = errors.New("it is none, or of another version")
	}
	root, commit := u.text(), u.text()
	var loaded []loadedFile
	for n := u.length(); n > 0 && u.err == nil; n-- {
		path, size, text := u.text(), u.number(), u.text()
		if u.err == nil {
			u.err = sound(path, text)
		}
		switch {
		case u.err != nil:
		case len(loaded) > 0 && loaded[len(loaded)-1].Path >= path:
			u.err = fmt.Errorf("%q is not in order", path)
		case size < 0 || int64(int(size)) != size:
			u.err = fmt.Errorf("%q has %d bytes", path, size)
		default:
			loaded = append(loaded, describe(path, text, int(size)))
		}
	}
	var skipped []Skip
	for n := u.length(); n > 0 && u.err == nil; n-- {
		s := Skip{Path: u.text(), Why: u.text(), By: u.text(), Source: u.number() == 1, Bytes: u.number()}
		lines := u.number()
		if s.Lines = int(lines); u.err == nil && (s.Bytes < Unknown || lines < Unknown || int64(s.Lines) != lines) {
			u.err = fmt.Errorf("%q has %d bytes and %d lines", s.Path, s.Bytes, lines)
		}
		if u.err == nil {
			u.err = errors.Join(sound(s.Path, s.Why), sound("", s.By))
		}
		skipped = append(skipped, s)
	}
	var warned []string
	for n := u.length(); n > 0 && u.err == nil; n-- {
		warned = append(warned, u.text())
		if u.err == nil {
			u.err = sound("", warned[len(warned)-1])
		}
	}
	if u.err != nil {
		return nil
	}
	if _, err := io.ReadFull(u.r, u.one[:]); !errors.Is(err, io.EOF) {
		u.err = errors.Join(errors.New("something follows it"), err)
		return nil
	}
	c := assemble(root, commit, loaded, nil)
	c.skipped, c.warned = skipped, warned
	return c
}

// ReadByte is what binary.ReadVarint asks for.
func (u *unpacker) ReadByte() (byte, error) {
	if u.left--; u.left < 0 {
		return 0, errors.New("it is too large")
	}
	_, err := io.ReadFull(u.r, u.one[:])
	return u.one[0], err
}

func (u *unpacker) number() int64 {
	if u.err != nil {
		return 0
	}
	n, err := binary.ReadVarint(u)
	u.fail(err)
	return n
}

func (u *unpacker) length() int64 {
	n := u.number()
	if n < 0 || n > maxEntries {
		u.fail(fmt.Errorf("a list of %d entries", n))
	}
	return n
}

func (u *unpacker) text() string { return string(u.bytes(u.number())) }

// bytes reads n bytes. It takes memory for what is there, not for what is claimed.
func (u *unpacker) bytes(n int64) []byte {
	if n < 0 || n > u.left {
		u.fail(errors.New("it is too large"))
	}
	if u.err != nil {
		return nil
	}
	u.left -= n
	b, err := io.ReadAll(io.LimitReader(u.r, n))
	if err == nil && int64(len(b)) < n {
		err = io.ErrUnexpectedEOF
	}
	u.fail(err)
	return b
}

func (u *unpacker) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if u.err == nil {
		u.err = err
	}
}
