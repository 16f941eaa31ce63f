package generate

import "github.com/deeprepo/deeprepo/internal/dataset"

// ownShots are solved tasks for few-shot prompts where a dataset keeps none for that. They are written for this and of
// no dataset, so that no example answers a task.
func ownShots() []dataset.Task {
	shot := func(id, text, entry, signature, test, code string) dataset.Task {
		return dataset.Task{ID: id, Text: text, Entry: entry, Signature: signature, Canonical: code,
			Tests: []dataset.Test{{Name: "example", Code: test, Public: true}}}
	}
	return []dataset.Task{
		shot("shot/1", "Write a function that counts how often each word of a text occurs; upper and lower case are the same.",
			"word_counts", "def word_counts(text: str) -> dict:",
			`assert word_counts("To be or not to be") == {"to": 2, "be": 2, "or": 1, "not": 1}`,
			`def word_counts(text: str) -> dict:
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts`),
		shot("shot/2", "Write a function that finds the longest run of equal neighbours in a list and returns its length, 0 for an empty list.",
			"longest_run", "def longest_run(items: list) -> int:",
			"assert longest_run([1, 1, 2, 2, 2, 1]) == 3",
			`from itertools import groupby


def longest_run(items: list) -> int:
    return max((len(list(group)) for _, group in groupby(items)), default=0)`),
		shot("shot/3", "Write a function that turns a number of seconds into hours, minutes and seconds, each with two digits and a colon "+
			"between them.",
			"clock", "def clock(seconds: int) -> str:",
			`assert clock(3725) == "01:02:05"`,
			`def clock(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}"`),
	}
}
