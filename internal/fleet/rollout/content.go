package rollout

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// mostContent bounds a file or directory that travels, unpacked, in bytes.
const mostContent = 256 << 20

// keepPath puts a file or a directory where workers find it, and returns its hash.
func keepPath(ctx context.Context, c *fleet.Conn, name string) (string, error) {
	packed, err := pack(name)
	if err != nil {
		return "", fmt.Errorf("%s cannot travel to the fleet: %w", name, err)
	}
	return c.Keep(ctx, packed)
}

// pack makes an archive of a file or a directory, below its own name. Links and what is no file are left out.
func pack(name string) ([]byte, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out bytes.Buffer
	archive, total := zip.NewWriter(&out), int64(0)
	err = fs.WalkDir(root.FS(), filepath.Base(name), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := root.ReadFile(file)
		if err != nil {
			return err
		}
		if total += int64(len(text)); total > mostContent {
			return fmt.Errorf("it has more than %d MiB", mostContent>>20)
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: file, Method: zip.Deflate}) // without times: the same content, the same bytes
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	err = errors.Join(err, archive.Close())
	return out.Bytes(), err
}

// placeBlob writes a snapshot into a directory, under its name, unless it is there.
func placeBlob(ctx context.Context, c *fleet.Conn, dir string, s snapshot) error {
	if filepath.Base(s.Name) != s.Name || !filepath.IsLocal(s.Name) || s.Name == "." {
		return fmt.Errorf("%q is no snapshot's name", s.Name)
	}
	target := filepath.Join(dir, s.Name)
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	packed, err := c.Blob(ctx, s.Hash)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	return wholefile.Write(target, func(f *os.File) error {
		_, err := f.Write(packed)
		return err
	})
}

// placePath unpacks what keepPath packed into a directory of its own below dir, once, and returns its path.
func placePath(ctx context.Context, c *fleet.Conn, dir, hash string) (string, error) {
	packed, err := c.Blob(ctx, hash)
	if err != nil {
		return "", err
	}
	return unpack(packed, dir, hash)
}

func unpack(packed []byte, dir, hash string) (string, error) {
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(archive.File) == 0 {
		return "", fmt.Errorf("the content %.12s is no archive with files", hash)
	}
	if len(hash) < 16 || path.Base(hash) != hash {
		return "", fmt.Errorf("%q is no hash", hash)
	}
	top, _, _ := strings.Cut(archive.File[0].Name, "/")
	target := filepath.Join(dir, hash)
	if _, err := os.Stat(target); err == nil {
		return filepath.Join(target, top), nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return "", err
	}
	defer root.Close()
	left := int64(mostContent)
	for _, f := range archive.File {
		if left, err = unpackFile(root, f, left); err != nil {
			return "", fmt.Errorf("unpack the content %.12s: %w", hash, err)
		}
	}
	if err := os.Rename(fresh, target); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(target); there != nil { // else another item was faster
			return "", err
		}
	}
	return filepath.Join(target, top), nil
}

// unpackFile writes a file below root, and says how much may still come.
func unpackFile(root *os.Root, f *zip.File, left int64) (int64, error) {
	if !filepath.IsLocal(f.Name) {
		return 0, fmt.Errorf("%q leads out of it", f.Name)
	}
	from, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer from.Close()
	if err := root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
		return 0, err
	}
	to, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(to, io.LimitReader(from, left+1))
	if n > left {
		err = fmt.Errorf("it has more than %d MiB", mostContent>>20)
	}
	return left - n, errors.Join(err, to.Close())
}
