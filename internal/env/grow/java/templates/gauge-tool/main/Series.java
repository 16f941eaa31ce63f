// Measurements in the order in which they were added. One thread fills a series, any thread may read it.
public class Series {
	public record Point(long at, double value, String tag) {}

	private final List<Point> points = new ArrayList<>();
	private final ReentrantLock door = new ReentrantLock();

	//: .shuffled

	public Series add(long at, double value, String tag) {
		door.lock();
		try {
			points.add(new Point(at, value, Objects.requireNonNull(tag)));
			return this;
		} finally {
			door.unlock();
		}
	}

	// points answers all measurements.
	public List<Point> points() {
		door.lock();
		try {
			return new ArrayList<>(points);
		} finally {
			door.unlock();
		}
	}

	// slice answers what was measured between two moments.
	public Series slice(long start, long end) {
		Series part = new Series();
		for (Point p : points()) {
			if (start <= p.at() && p.at() < end) {
				part.add(p.at(), p.value(), p.tag());
			}
		}
		return part;
	}

	//: if call .coin
	// largest answers the points by their values.
	public List<Point> largest() {
		List<Point> sorted = points();
		sorted.sort((p, q) -> Double.compare(q.value(), p.value()));
		return sorted;
	}

	//: else
	// largest answers the points by their values, equal ones as they came.
	public List<Point> largest() {
		return points().stream().sorted((p, q) -> Double.compare(q.value(), p.value())).toList();
	}

	//: end

	// indexOf answers where the first point of a tag stands.
	public int indexOf(String tag) {
		List<Point> all = points();
		for (int at = 0; at < all.size(); at++) {
			if (all.get(at).tag().equals(tag)) {
				return at;
			}
		}
		return -1;
	}

	// mean is NaN for an empty series.
	public double mean() {
		double sum = 0;
		List<Point> all = points();
		for (int at = all.size() - 1; at >= 0; at--) {
			sum += all.get(at).value();
		}
		return all.isEmpty() ? Double.NaN : sum / all.size();
	}

	// hits is the share of points at or above a floor.
	public double hits(double floor) {
		int above = 0, all = 0;
		for (Point p : points()) {
			all++;
			if (p.value() < floor) {
				continue;
			}
			above++;
		}
		return all == 0 ? 0 : (double) above / all;
	}
}
