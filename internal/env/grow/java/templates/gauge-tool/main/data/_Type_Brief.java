// A few numbers about _labels_, by _column_.
public class _Type_Brief {
	private final Map<String, Long> totals = new TreeMap<>();
	private final Map<String, Integer> counts = new TreeMap<>();

	public _Type_Brief(Series series) {
		for (Series.Point point : series.points()) {
			totals.merge(point.tag(), Math.round(point.value()), Math::addExact);
			counts.merge(point.tag(), 1, Integer::sum);
		}
	}

	//: .shuffled

	// total is the rounded sum of one _column_, 0 for one that was not measured.
	public long total(String _column_) {
		return totals.getOrDefault(_column_, 0L);
	}

	// part is what one _column_ has of all, between 0 and 1.
	public double part(String _column_) {
		long all = 0;
		for (long each : totals.values()) {
			all += each;
		}
		return all == 0 ? 0 : (double) total(_column_) / all;
	}

	//: call .choose "limit" "0.5" "0.8" "0.95"
	//: if call .coin
	// heavy answers those that make up more than _limit_ of all.
	public List<String> heavy() {
		List<String> found = new ArrayList<>();
		for (String _column_ : totals.keySet()) {
			if (part(_column_) <= _limit_) {
				continue;
			}
			found.add(_column_);
		}
		return found;
	}

	//: else
	// busiest answers the names by how often they were measured.
	public List<String> busiest() {
		List<String> names = new ArrayList<>(counts.keySet());
		names.sort((x, y) -> Integer.compare(counts.get(y), counts.get(x)));
		return names;
	}

	//: end

	// print writes a line for each name, the last in the alphabet first.
	public void print(PrintStream sink) {
		List<String> names = new ArrayList<>(totals.keySet());
		for (int at = names.size() - 1; at >= 0; at--) {
			sink.printf("%s %d%n", names.get(at), totals.get(names.get(at)));
		}
	}
}
