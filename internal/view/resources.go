package view

// resource answers the documents of one name; rest is what of their path follows the name and a slash, or "".
type resource func(r *Run, rest string) (any, error)

// resources are the documents of a kind of run, by the first part of their path. The owners of a kind add theirs here and
// nowhere else.
func resources(k Kind) map[string]resource {
	switch k {
	case Review:
		return map[string]resource{
			"files": (*Run).listFiles, "file": (*Run).showFile, "findings": (*Run).listFindings,
			"trace": ofReview("trace"), "turn": ofReview("turn"), "prompt": ofReview("prompt"), "dispatch": ofReview("dispatch"),
		}
	case Eval:
		return map[string]resource{
			"eval":    getEval,
			"rollout": ofRollout, // rollout/N/ and a trace's resources
		}
	case Bench:
		return map[string]resource{"bench": getBench}
	case CodeEval:
		return map[string]resource{"codeeval": codeResource}
	case Compare:
		return map[string]resource{"compare": compareResource}
	case Pairs:
		return map[string]resource{"pairs": pairsResource}
	case Training:
		return map[string]resource{"training": getTraining}
	}
	return nil
}

// sections are the parts of a run's page, in their order: those for which there is something to show.
func sections(r *Run) []Section {
	list := []Section{}
	add := func(s Section, names ...string) {
		for _, name := range names {
			if r.has(name) {
				list = append(list, s)
				return
			}
		}
	}
	switch r.kind {
	case Review:
		add(SectionFindings, reportName)
		add(SectionTurns, traceName)
		add(SectionCode, reportName)
	case Eval:
		add(SectionEval, resultsName, manifestName)
	case Bench:
		add(SectionBench, benchName)
	case CodeEval:
		add(SectionCodeEval, resultsName, samplesName, summaryName)
	case Compare:
		add(SectionCompare, compareName)
	case Pairs:
		add(SectionPairs, trainName, tracePairsName, summaryName)
	case Training:
		add(SectionTraining, metricsName, summaryName, planName)
	}
	return list
}
