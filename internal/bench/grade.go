package bench

// Grades by quality, from 0 to 1.
const (
	gradeA, gradeB, gradeC = 0.80, 0.60, 0.40
)

// Values of Row.GradeBy.
const (
	ByTruth   = "truth"
	ByNoTruth = "no truth"
)

// grade puts a letter to a row. Where there is a truth, quality is F2 = 5 TP / (5 TP + 4 FN + FP), which weighs recall
// twice as much as precision (van Rijsbergen 1979, "Information Retrieval", ch. 7): a review that misses half of the
// defects is worse than one of whose claims half are wrong. Elsewhere quality is coverage times the share of claims that
// are grounded, 0 when nothing was claimed: that much was read, and that much of what was said could be shown to stand
// in the code. Whether it is true is unknown; the letter is followed by "?".
func (r *Row) grade() {
	if r.Done == 0 {
		return
	}
	if r.Truth != nil {
		r.Quality, r.GradeBy = r.Truth.F2, ByTruth
	} else {
		r.GradeBy = ByNoTruth
		quality := 0.0
		grounded, claimed := 0, 0
		for _, run := range r.done() {
			grounded, claimed = grounded+run.Findings, claimed+run.Findings+run.Ungrounded
		}
		if claimed > 0 && r.Coverage != nil {
			quality = *r.Coverage * float64(grounded) / float64(claimed)
		}
		r.Quality = &quality
	}
	if r.Quality != nil {
		r.Grade = letter(*r.Quality)
	}
	if r.GradeBy == ByNoTruth {
		r.Grade += "?"
	}
}

func letter(quality float64) string {
	switch {
	case quality >= gradeA:
		return "A"
	case quality >= gradeB:
		return "B"
	case quality >= gradeC:
		return "C"
	}
	return "D"
}

// ruleTexts say how the derived figures are made, for everyone who reads the tables.
func ruleTexts() []string {
	return []string{
		"Only runs that came to their end count (an answer, or the turns used up). Counts and costs are sums over a configuration's runs.",
		"A finding is true when it lies in the same file within 3 lines of a defect, with the same category or one of its family; each defect counts once.",
		"Deep bug: a defect of severity high or critical, or one between two files. Unique: found in some repeat by this configuration, and in none by any other.",
		"Coverage: the share of lines that reached a worker (with strategy single, the root).",
		"Quality with truth: F2 = 5 TP / (5 TP + 4 FN + FP), in which recall weighs twice as much as precision. Grade A from 0.80, B from 0.60, C from 0.40, else D.",
		"Quality without truth (marked ?): coverage x grounded claims / all claims, 0 without claims; the same letters. It says what was read and quoted rightly, not what is true.",
	}
}
