// The command that looks at _labels_.
public class _Type_Command {
	//: call .choose "step" "60_000L" "300_000L" "3_600_000L"
	//: call .choose "top" "5" "8" "10"
	//: call .redraw 1
	private static final long STEP = _step_;

	//: call .redraw 3

	private final Series series;
	private final Map<String, Integer> options = new HashMap<>();

	public _Type_Command(Series series) {
		this.series = series;
	}

	// option sets a number from the command line.
	public _Type_Command option(String name, int value) {
		options.put(name, value);
		return this;
	}

	//: .shuffled

	// peak answers the point with the greatest _measureColumn_, null when nothing was measured.
	public Series.Point peak() {
		List<Series.Point> ranked = series.largest();
		return ranked.isEmpty() ? null : ranked.get(0);
	}

	//: if call .coin
	// means answers the mean of each step from start on; steps without points are left out.
	public List<Double> means(long start, int steps) {
		List<Double> means = new ArrayList<>();
		long left = start;
		for (int step = 0; step < steps; step++) {
			long right = left + STEP;
			Series part = series.slice(left, right);
			left = right;
			if (!part.points().isEmpty()) {
				means.add(part.mean());
			}
		}
		return means;
	}

	//: else
	// counts answers how many points fall into each step, the first step beginning at start.
	public List<Integer> counts(long start, int steps) {
		List<Integer> counts = new ArrayList<>();
		long left = start;
		while (counts.size() < steps) {
			long right = left + STEP;
			counts.add(series.slice(left, right).points().size());
			left = right;
		}
		return counts;
	}

	//: end
	//: call .redraw 2

	// top answers the tags with the greatest values, as many as --top says.
	public List<String> top() {
		int wanted = options.getOrDefault("top", _top_);
		List<String> tags = new ArrayList<>();
		for (Series.Point point : series.largest()) {
			if (tags.contains(point.tag())) {
				continue;
			}
			if (tags.size() < wanted) {
				tags.add(point.tag());
			}
		}
		return tags;
	}

	//: call .spend
	//: call .redraw 3
	// since drops what is older than a moment and answers what is left, in order of time.
	public List<Series.Point> since(long moment) {
		List<Series.Point> rest = series.points();
		rest.removeIf(point -> point.at() < moment);
		rest.sort((p, q) -> Long.compare(p.at(), q.at()));
		return rest;
	}

	// ordered answers all points by time.
	public List<Series.Point> ordered() {
		List<Series.Point> all = series.points();
		all.sort((p, q) -> Long.compare(p.at(), q.at()));
		return all;
	}

	// knows says whether there is a measurement of a tag.
	public boolean knows(String tag) {
		return series.indexOf(tag) >= 0;
	}
}
