package recipe

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/report"
)

// taught says how much of what the policy writes stands word for word in its demonstrations: whether it learnt to choose
// among what it was shown, or to write something else. It is "" if there are none to compare with.
func (r *run) taught() (string, error) {
	shown, err := r.shown()
	if err != nil || len(shown) == 0 {
		return "", err
	}
	same, all, err := wordForWord(filepath.Join(r.path(train.AfterName), eval.TracesName), shown)
	if err != nil || all == 0 {
		return "", err
	}
	words := fmt.Sprintf("Of the %d cells that ran without an error afterwards, %d (%.0f%%) stand word for word in the demonstrations", all,
		same, 100*float64(same)/float64(all))
	if 2*same > all {
		words += ": the training chose among what it was shown more than it found anything new"
	}
	return words + ".", nil
}

// shown are the cells of the demonstrations that the base was taught with, in this recipe or in the one that it is from.
func (r *run) shown() (map[string]bool, error) {
	places := []string{r.path(lessonsName), r.c.Out}
	if r.o.From != "" {
		places = append(places, r.o.From, filepath.Join(r.o.From, lessonsName))
	}
	for _, dir := range places {
		f, err := bounded.Open(filepath.Join(dir, train.DemonstrationsName), 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		episodes, err := train.ReadEpisodes(f, f.Name())
		if err != nil {
			return nil, err
		}
		shown := map[string]bool{}
		for _, e := range episodes {
			for _, x := range e.Exchanges {
				shown[x.Cell] = true
			}
		}
		return shown, nil
	}
	return nil, nil
}

// wordForWord counts the cells of an eval's traces that ran without an error, and those of them that were shown.
func wordForWord(name string, shown map[string]bool) (same, all int, err error) {
	f, err := bounded.Open(name, 0)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	err = report.EachCell(f, func(code, errorType string) {
		if errorType != "" {
			return
		}
		all++
		if shown[code] {
			same++
		}
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return same, all, err
}
