package checkpoint

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// PackModel is what [WriteModel] writes, in one piece for another machine: a zip file that compresses nothing. The same
// arguments give the same bytes.
func PackModel(m *transformer.Model, t *bpe.Tokenizer) ([]byte, error) {
	files, err := modelOutputs(m, t, nil, F32)
	if err != nil {
		return nil, err
	}
	return pack(files)
}

// UnpackModel reads a [PackModel].
func UnpackModel(data []byte) (*transformer.Model, *bpe.Tokenizer, error) {
	fsys, err := unpack(data)
	if err != nil {
		return nil, nil, err
	}
	m, t, _, err := readModel(fsys)
	return m, t, err
}

// PackAdapter is what [WriteAdapter] writes, in one piece for another machine. The same arguments give the same bytes.
func PackAdapter(a *transformer.Adapter, base *transformer.Model) ([]byte, error) {
	files, err := adapterOutputs(a, base, "")
	if err != nil {
		return nil, err
	}
	return pack(files)
}

// UnpackAdapter reads a [PackAdapter], for the model that the adapter was trained on.
func UnpackAdapter(data []byte, base *transformer.Model) (*transformer.Adapter, error) {
	fsys, err := unpack(data)
	if err != nil {
		return nil, err
	}
	return readAdapter(fsys, base)
}

func pack(files []output) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store})
		if err == nil {
			err = f.fill(w)
		}
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// unpack opens a pack. Nothing in it is larger than itself.
func unpack(data []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("this is no packed model: %w", err)
	}
	for _, f := range z.File {
		if f.Method != zip.Store {
			return nil, fmt.Errorf("%q is compressed: this is no packed model", f.Name)
		}
	}
	return z, nil
}
