package native

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Bounds of the files beside a program: of those it is given, and of those that it leaves.
const (
	mostFiles  = 256
	filesBytes = 32 << 20
	fetchBytes = 16 << 20
)

// checkFiles says what is wrong with the files beside a program. Their names come from whoever sent it.
func checkFiles(q sandbox.Program) error {
	if len(q.Files) > mostFiles || len(q.Fetch) > mostFiles {
		return fmt.Errorf("more than %d files beside a program", mostFiles)
	}
	names, total := slices.Clone(q.Fetch), 0
	for _, f := range q.Files {
		names = append(names, f.Name)
		total += len(f.Data)
	}
	if total > filesBytes {
		return fmt.Errorf("the files beside a program have %d bytes, more than %d", total, filesBytes)
	}
	for _, name := range names {
		first, _, _ := strings.Cut(name, "/")
		switch {
		case name == "." || path.Clean(name) != name || !filepath.IsLocal(name) || strings.ContainsRune(name, 0) || len(name) > 1000:
			return fmt.Errorf("%.100q is not the name of a file in the program's directory", name)
		case folder+"/"+first == Tree || folder+"/"+first == preparedAt:
			return fmt.Errorf("%.100q: the sandbox itself uses %q in the program's directory", name, first)
		}
	}
	return nil
}

// write puts the source, and the files beside it, where a compiler's jail sees them.
func (b *build) write() error {
	b.tree = filepath.Join(b.dir, "source")
	if err := os.Mkdir(b.tree, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(b.tree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range append([]sandbox.File{{Name: b.l.fileName(b.q.Code), Data: []byte(b.q.Code)}}, b.q.Files...) {
		if err := root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
			return fmt.Errorf("files beside the program: %w", err)
		}
		w, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil { // two of one name, or one that is the source's
			return fmt.Errorf("files beside the program: %w", err)
		}
		_, err = w.Write(f.Data)
		if closed := w.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open opens the files beside the program for a jail to copy. Whatever is open closing closes.
func (b *build) open() (files []*os.File, closing func(), err error) {
	closing = func() {
		for _, f := range files {
			f.Close()
		}
	}
	for _, f := range b.q.Files {
		file, err := os.Open(filepath.Join(b.dir, "source", filepath.FromSlash(f.Name)))
		if err != nil {
			return files, closing, err
		}
		files = append(files, file)
	}
	return files, closing, nil
}

// fetching is a shell's script that runs a program, its arguments, and then sends an archive of files on descriptor 3,
// which the program does not have. It ends with the program's status, and says nothing itself of a signal.
func fetching(names []string) string {
	script := `exec 9>&2 2>/dev/null; (exec "$@" 2>&9 3>&- 9>&-); s=$?; exec 9>&-; cd ` + folder + ` && tar -cf - --no-recursion --`
	for _, name := range names {
		script += " '" + strings.ReplaceAll("./"+name, "'", `'\''`) + "'"
	}
	return script + " >&3; exit $s"
}

// fetched are the files of such names in an archive, as far as there is room for them. A program may have sent it itself,
// to its own harm.
func fetched(archive io.Reader, names []string) map[string][]byte {
	if len(names) == 0 {
		return nil
	}
	files := map[string][]byte{}
	reader := tar.NewReader(archive)
	for total := int64(0); len(files) < mostFiles; {
		h, err := reader.Next()
		if err != nil {
			break
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !slices.Contains(names, name) {
			continue
		}
		if total += h.Size; h.Size > fetchBytes || total > fetchBytes { // a sparse one may say any size
			break
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			break
		}
		files[name] = data
	}
	return files
}
