// What the tool did in this run, by name.
public class Meters {
	private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
	private final ReentrantLock order = new ReentrantLock();
	private final List<String> firstUse = new ArrayList<>();

	//: .shuffled

	public void count(String name, long by) {
		order.lock();
		try {
			if (!firstUse.contains(name)) {
				firstUse.add(name);
			}
			counts.computeIfAbsent(name, unused -> new LongAdder()).add(by);
		} finally {
			order.unlock();
		}
	}

	public long of(String name) {
		LongAdder adder = counts.get(name);
		return adder == null ? 0 : adder.sum();
	}

	// names answers a list of the names, the first one used in front, for the caller to keep.
	public List<String> names() {
		order.lock();
		try {
			return new ArrayList<>(firstUse);
		} finally {
			order.unlock();
		}
	}

	// share is the part of the first count in the second.
	public double share(String part, String whole) {
		long all = of(whole);
		return all == 0 ? 0 : (double) of(part) / all;
	}
}
