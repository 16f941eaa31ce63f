package localisation

import (
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// BenchmarkTask opens the tasks of DEEPREPO_RECORDS over the repositories in DEEPREPO_REPOS, one after the other, golds included.
func BenchmarkTask(b *testing.B) {
	data, repos := os.Getenv("DEEPREPO_RECORDS"), os.Getenv("DEEPREPO_REPOS")
	if data == "" || repos == "" {
		b.Skip("DEEPREPO_RECORDS and DEEPREPO_REPOS name no records and repositories")
	}
	records, err := OpenRecords(data)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		e, err := New(Config{Records: records, Repos: repos, Parser: runtest.OpenParser})
		if err != nil {
			b.Fatal(err)
		}
		for i := range records {
			if _, err := e.Task(b.Context(), env.Selection{}, i); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*len(records))/b.Elapsed().Minutes(), "tasks/min")
}
