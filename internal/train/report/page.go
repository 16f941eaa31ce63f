package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// WritePage writes the page of deeprepo ui with the trainings side by side, as one file that needs nothing else. The
// curves are of the trainings' directories, as far as they can be read.
func (j Joint) WritePage(w io.Writer) error {
	const title = "Trainings side by side"
	documents := map[string]any{
		"": doc.Header{
			Row: doc.Row{Kind: doc.Training, Name: title, Status: doc.Completed, Models: []string{},
				Headline: fmt.Sprintf("%d trainings", len(j.Runs))},
			Sections: []doc.Section{doc.SectionTraining}, Children: []doc.Row{}, Facts: []doc.Fact{},
		},
		"training/compare": j,
	}
	var runs []string
	for i, l := range j.Runs {
		runs = append(runs, l.Run)
		steps, err := stepsOf(l.Run)
		if err != nil {
			return fmt.Errorf("the steps of %s: %w", l.Run, err)
		}
		if steps != nil {
			documents[fmt.Sprintf("training/compare/%d", i)] = steps
		}
	}
	places := view.PlacesOf(runs...)
	archive := page.Archive{}
	for name, document := range documents {
		text, err := json.Marshal(document)
		if err != nil {
			return fmt.Errorf("write %s: %w", title, err)
		}
		archive[name] = places.Hide(text)
	}
	return page.WriteFile(w, title, archive)
}

// stepsOf are the steps in a training's directory, as the page shows them; nil where it has none.
func stepsOf(dir string) (any, error) {
	run, err := view.Open(dir)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	steps, err := run.Get("training/0")
	var none *doc.Error
	if errors.As(err, &none) && none.Status == 404 {
		return nil, nil
	}
	return steps, err
}
