package runfile

// Names of files in a run's directory, where those who write them and those who read them are several packages. That of
// run.json is rundir.ManifestName.
const (
	BeforeName   = "before"        // the directory, in that of a change's review, in which the review of its base is a run of its own
	BenchName    = "bench.json"    // a Bench
	CompareName  = "compare.json"  // a Comparison
	CoverageName = "coverage.json" // a review's CoverageRecord
	FleetName    = "fleet.json"    // a FleetWork: which workers of a fleet did a run's items
	FlipsName    = "flips.jsonl"   // a comparison's: a Flip a line
	MetadataName = "metadata.json" // an eval's EvalMetadata
	MetricsName  = "metrics.jsonl" // a training's: a TrainingStep a line
	PlanName     = "plan.json"     // what a training of several parts was asked for
	ReportName   = "report.json"   // a review's Report
	ResultsName  = "results.jsonl" // an eval's: an EvalRow a line; a code eval's: a judged sample a line
	RolloutsName = "rollouts"      // an eval's directory of the traces of rollouts that are under way
	SamplesName  = "samples.jsonl" // a code eval's: a sample a line
	SummaryName  = "summary.json"  // what an eval, a code eval, a training or a build of pairs came to
	TraceName    = "trace.jsonl"   // a review's: an event a line
	TracesName   = "traces.jsonl"  // an eval's: an EvalTrace with its events a line
)
