package runcode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
)

// ahead is how many programs of a batch, per worker, may be done before the first that is not: their answers are held.
const ahead = 4

// maxBatch is how many programs a batch may have: as many as may wait.
func (s *Server) maxBatch() int { return s.c.Queue + 1 }

// postRunBatch runs many programs and answers in their order, each as soon as it and all before it are done. Programs of
// a batch and single ones take turns.
func (s *Server) postRunBatch(w http.ResponseWriter, r *http.Request) {
	raw, leave, ok := s.body(w, r)
	if !ok {
		return
	}
	defer leave()
	programs, err := parseBatch(raw, s.maxBatch())
	if err != nil {
		writeDetail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	rest := max(len(programs)-1, 0) // one place is its own already
	if err := s.queue.more(rest); err != nil {
		s.refuse(w, err)
		return
	}
	defer s.queue.less(rest)
	ctx, cancel := s.joined(r.Context())
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	control := http.NewResponseController(w)
	_, _ = io.WriteString(w, `{"results":[`)
	first := true
	s.inOrder(ctx, programs, func(a answer) error {
		data, err := jsonfile.Line(a)
		if err != nil {
			data, _ = jsonfile.Line(unable("the answer cannot be encoded"))
		}
		if !first {
			data = append([]byte{','}, data...)
		}
		first = false
		_ = control.SetWriteDeadline(time.Now().Add(s.c.BodyWait))
		if _, err := w.Write(data); err != nil {
			return err
		}
		_ = control.Flush()
		return nil
	})
	_, _ = io.WriteString(w, "]}")
}

// inOrder runs programs side by side and hands their answers over one after the other. It returns when nothing runs any
// more; when handing over fails, or ctx ends, the rest is not run, and answered so.
func (s *Server) inOrder(ctx context.Context, programs []*request, give func(answer) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	window := make(chan chan answer, ahead*s.c.Workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer close(window)
		running := make(chan struct{}, s.c.Workers) // a batch stands in the workers' queue with that many at most
		for _, q := range programs {
			done := make(chan answer, 1)
			window <- done
			running <- struct{}{}
			wg.Go(func() {
				defer func() { <-running }()
				a, err := s.run(ctx, q, 0)
				if err != nil {
					a = unable(err.Error())
				}
				done <- a
			})
		}
	})
	for done := range window {
		if give(<-done) != nil {
			cancel()
			for range window { // the rest is not read
			}
			return
		}
	}
}

// parseBatch reads {"programs": [...]}.
func parseBatch(raw []byte, most int) ([]*request, error) {
	var batch struct {
		Programs []json.RawMessage `json:"programs"`
	}
	if err := bounded.Check(raw, maxValues); err != nil {
		return nil, wrongf("%v", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&batch); err != nil {
		return nil, asWrong(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, wrongf("there is something behind the JSON object")
	}
	switch {
	case batch.Programs == nil:
		return nil, wrongf("programs: the field is required")
	case len(batch.Programs) > most:
		return nil, wrongf("programs: %d are too many, at most %d are taken", len(batch.Programs), most)
	}
	programs := make([]*request, len(batch.Programs))
	for i, raw := range batch.Programs {
		q, err := parseRequest(raw, true)
		if err != nil {
			return nil, wrongf("programs[%d]: %v", i, fmt.Sprint(err))
		}
		programs[i] = q
	}
	return programs, nil
}
