/** How many _label_ events came lately, slot by slot. */
public final class _Type_Window {
  //: call .choose "slots" "24" "30" "60"
  //: call .choose "seconds" "10" "60" "300"
  //: call .redraw 1
  private static final int SLOTS = _slots_;
  private static final int SLOT_SECONDS = _seconds_;

  //: call .redraw 2

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Integer> counts = new TreeMap<>();

  //: .shuffled

  /** Counts an event in the slot of its moment. */
  public void count(Event event) {
    long slot = event.atMillis() / Duration.ofSeconds(SLOT_SECONDS).toMillis();
    lock.lock();
    try {
      counts.merge(slot, 1, Integer::sum);
      if (counts.size() > SLOTS) {
        counts.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The counts of the slots that saw something, the earliest in front. */
  public List<Integer> slots() {
    lock.lock();
    try {
      return new ArrayList<>(counts.values());
    } finally {
      lock.unlock();
    }
  }

  //: if call .coin
  /** Events a slot on average, 0 before the first one. */
  public double average() {
    int sum = 0;
    var slots = slots();
    for (int i = slots.size() - 1; i >= 0; i--) {
      sum += slots.get(i);
    }
    return slots.isEmpty() ? 0 : (double) sum / slots.size();
  }

  //: else
  /** The mean count of the slots that saw something. */
  public double average() {
    lock.lock();
    try {
      int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
      return counts.isEmpty() ? 0 : (double) sum / counts.size();
    } finally {
      lock.unlock();
    }
  }

  //: end
  //: call .redraw 2

  /** The slots ordered by what they saw. */
  public List<Map.Entry<Long, Integer>> busiest() {
    lock.lock();
    try {
      var entries = new ArrayList<Map.Entry<Long, Integer>>();
      counts.forEach((slot, count) -> entries.add(Map.entry(slot, count)));
      entries.sort((a, b) -> Integer.compare(b.getValue(), a.getValue()));
      return entries;
    } finally {
      lock.unlock();
    }
  }
}
