// Series by name, the ones used last; the rest is read again when it is wanted.
public class Shelf {
	//: call .choose "slots" "32" "64" "128"
	private static final int SLOTS = _slots_;

	private final ConcurrentHashMap<String, Integer> asked = new ConcurrentHashMap<>();
	private final LinkedHashMap<String, Series> kept = new LinkedHashMap<>(16, 0.75f, true);

	//: .shuffled

	public synchronized Series get(String name, Supplier<Series> load) {
		Series held = kept.get(name);
		if (held == null) {
			held = load.get();
			kept.put(name, held);
			if (kept.size() > SLOTS) {
				kept.remove(kept.keySet().iterator().next());
			}
		}
		return held;
	}

	// ask counts how often a name was wanted.
	public int ask(String name) {
		if (asked.size() > 100 * SLOTS) {
			asked.clear();
		}
		return asked.merge(name, 1, Integer::sum);
	}

	// popularity is how often a name was wanted so far.
	public int popularity(String name) {
		return asked.getOrDefault(name, 0);
	}

	public synchronized boolean holds(String name) {
		return kept.containsKey(name);
	}
}
