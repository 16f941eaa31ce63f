package demo

import "strconv"

// looks are cells that look around and send nothing.
var looks = []string{
	"print(file_tree)",
	"print(len(codebase), \"files\")",
	"print(list(codebase)[:5])",
	"for <p> in codebase:\n    print(<p>, len(codebase[<p>]))",
	"print(metadata[\"file_types\"])",
	"print(metadata[\"largest_files\"][:3])",
	"<p> = list(codebase)[0]\nprint(codebase[<p>][:200])",
	"print(max(codebase, key=lambda <p>: len(codebase[<p>])))",
	"print(sum(t.count(\"TODO\") for t in codebase.values()))",
	"print(coverage()[\"fraction\"])",
	"print(budget())",
	"SHOW_VARS()",
}

func (s *style) look() string { return s.fill(pick(s.r, looks)) }

// guess ends a rollout with words that nothing stands behind.
func (s *style) guess() string { return "set_answer(\"" + pick(s.r, words) + "\")" }

// tail is a cell's output after it has sent something.
func (s *style) tail() string {
	return s.fill(pick(s.r, []string{
		"\nprint(len(<R>), coverage()[\"fraction\"])",
		"\nprint(len(findings()), \"findings\")",
		"\nprint(coverage()[\"fraction\"])",
		"\nprint(len(<R>))",
		"\nprint(<R>[0][:100])",
		"",
	}))
}

// judged is what stands before a report: mostly second opinions on what is doubtful, sometimes a judgement without any.
func (s *style) judged() string {
	return pick(s.r, []string{
		"for v in verify([f['id'] for f in findings() if f['confidence'] < 0.8]):\n    if v['status'] == 'refuted':\n" +
			"        dismiss(v['id'], v['reason'])\n",
		"for v in verify([f['id'] for f in findings() if f['confidence'] < 0.8]):\n    if v['status'] == 'refuted':\n" +
			"        dismiss(v['id'], v['reason'])\n",
		"for f in findings():\n    if f['confidence'] < 0.8:\n        dismiss(f['id'], 'doubtful')\n",
		"verify([f['id'] for f in findings()])\n",
	})
}

// report hands in what was found. The good one cites places; the others do not, or say less.
func (s *style) report(good float64) string {
	if s.chance(good) {
		return pick(s.r, []string{
			"set_answer(\"\\n\".join(f\"{f['file']}:{f['line']} {f['title']}\" for f in findings()))",
			"set_answer(\"\\n\".join(f\"{f['file']}:{f['line']} {f['title']}\" for f in findings()))",
			"set_answer(\"# Report\\n\" + \"\\n\".join(f\"- {f['file']}:{f['line']} {f['title']}\" for f in findings()))",
		})
	}
	return s.fill(pick(s.r, []string{
		"set_answer(str(findings()))",
		"set_answer(str(findings()))",
		"set_answer(\"\\n\".join(<R>))",
		"set_answer(\"\\n\".join(f['title'] for f in findings()))",
		"set_answer(str(len(findings())) + \" findings\")",
	}))
}

// The cells that send something. Each expects the section function to be there.

// each sends every file on its own, in one batch.
func (s *style) each() string {
	return s.fill("<R> = llm_batch([\"<ask>\\n\" + <S>(<p>) for <p> in codebase])")
}

// some sends the first files.
func (s *style) some(n int) string {
	return s.fill("<R> = llm_batch([\"<ask>\\n\" + <S>(<p>) for <p> in list(codebase)[:" + strconv.Itoa(n) + "]])")
}

// rest sends all but the first files.
func (s *style) rest(n int) string {
	return s.fill("<R> += llm_batch([\"<ask>\\n\" + <S>(<p>) for <p> in list(codebase)[" + strconv.Itoa(n) + ":]])")
}

// loop asks for every file in turn.
func (s *style) loop() string {
	return s.fill("<R> = []\nfor <p> in codebase:\n    <R>.append(llm_query(\"<ask>\\n\" + <S>(<p>)))")
}

// turnByTurn asks for the i-th file.
func (s *style) turnByTurn(i int) string {
	if i == 0 {
		return s.fill("<R> = [llm_query(\"<ask>\\n\" + <S>(list(codebase)[0]))]")
	}
	return s.fill("<R>.append(llm_query(\"<ask>\\n\" + <S>(list(codebase)[" + strconv.Itoa(i) + "])))")
}

// heap sends all files in one prompt.
func (s *style) heap() string {
	return s.fill("<R> = [llm_query(\"<ask>\\n\" + \"\".join(<S>(<p>) for <p> in codebase))]")
}

// pairs sends every file with the next one.
func (s *style) pairs() string {
	return s.fill("ps = list(codebase)\n<R> = llm_batch([\"<ask>\\n\" + <S>(a) + <S>(b) for a, b in zip(ps, ps[1:] + ps[:1])])")
}

// windows sends files by n, every step files.
func (s *style) windows(n, step int) string {
	return s.fill("ps = list(codebase)\n<R> = llm_batch([\"<ask>\\n\" + \"\".join(<S>(<p>) for <p> in ps[i:i+" + strconv.Itoa(n) +
		"]) for i in range(0, len(ps), " + strconv.Itoa(step) + ")])")
}

// near defines which files belong together: those that mention the name of one.
func (s *style) near() string {
	return s.fill("def near(<p>):\n    s = <p>.split(\"/\")[-1].split(\".\")[0]\n    return [q for q in codebase if q == <p> or s in " +
		"codebase[q]]\n")
}

// neighbours sends every file with those that mention it.
func (s *style) neighbours() string {
	return s.fill("<R> = llm_batch([\"<ask>\\n\" + \"\".join(<S>(q) for q in near(<p>)) for <p> in codebase])")
}

// related sends every file with the two that have most to do with it.
func (s *style) related() string {
	return s.fill("<R> = llm_batch([x for <p> in codebase for x in pack([<p>] + [q['file'] for q in related(<p>)[:2]], \"<ask>\", 12000)])")
}

// review has all files reviewed, in prompts of a bounded length.
func (s *style) review() string {
	return s.fill("<R> = review(list(codebase), \"<ask>\", " + pick(s.r, []string{"6000", "12000", "40000"}) + ")")
}

// missing sends what no worker has seen.
func (s *style) missing() string {
	return s.fill("<R> += llm_batch([\"<ask>\\n\" + <S>(<p>) for <p> in coverage()[\"uncovered\"]])")
}

// named sends the names of the files without their text, as if the worker could look.
func (s *style) named() string {
	return s.fill(pick(s.r, []string{
		"<R> = llm_batch([\"<ask> \" + <p> for <p> in codebase])",
		"<R> = [llm_query(\"<ask>\\n\" + file_tree)]",
		"<R> = llm_batch([f\"<ask> {<p>}\" for <p> in codebase])",
	}))
}

// byHand looks for defects without a worker and records what it takes for one.
func (s *style) byHand() string {
	sign := pick(s.r, []string{"except", "TODO", "open(", "== None", "while True"})
	return s.fill("for <p> in codebase:\n    for i, l in enumerate(codebase[<p>].split(\"\\n\")):\n        if \"" + sign +
		"\" in l:\n            add_finding(<p>, i + 1, \"bug\", \"medium\", \"logic\", l)")
}

// search prints where something stands.
func (s *style) search() string {
	sign := pick(s.r, []string{"except", "TODO", "password", "lock", "sql"})
	return s.fill("for <p> in codebase:\n    if \"" + sign + "\" in codebase[<p>]:\n        print(<p>)")
}
