/** Adds up what _label_ events report. */
public final class _Type_Plugin implements Dispatcher.Plugin {
  //: if call .coin
  /** One sum. */
  public record Sum(String _column_, long _measure_) {
  }

  private final ReentrantLock guard = new ReentrantLock();
  private final Map<String, Long> sums = new HashMap<>();
  private long events;
  private long accepted;

  //: else
  /** The sum of one _column_. */
  public record Sum(String _column_, long _measure_) {
  }

  private final Map<String, Long> sums = new HashMap<>();
  private final ReentrantLock guard = new ReentrantLock();
  private long accepted;
  private long events;

  //: end

  @Override
  public boolean accepts(Event event) {
    return event.kind().equals("_key_") || event.kind().startsWith("_key_.");
  }

  @Override
  public void take(Event event) {
    long _measure_ = event.number("_measureColumn_", 0);
    guard.lock();
    try {
      events++;
      if (_measure_ > 0) {
        accepted++;
        sums.merge(event.text("_column_"), _measure_, Math::addExact);
      }
    } finally {
      guard.unlock();
    }
  }

  //: .shuffled

  /** The share of events that reported something, between 0 and 1. */
  public double usefulShare() {
    guard.lock();
    try {
      return events == 0 ? 0 : (double) accepted / events;
    } finally {
      guard.unlock();
    }
  }

  /** What was reported under one _column_ so far. */
  public long sumOf(String _column_) {
    guard.lock();
    try {
      return sums.getOrDefault(_column_, 0L);
    } finally {
      guard.unlock();
    }
  }

  /** All sums, the largest first. */
  public List<Sum> ranking() {
    var all = new ArrayList<Sum>();
    guard.lock();
    try {
      sums.forEach((name, sum) -> all.add(new Sum(name, sum)));
    } finally {
      guard.unlock();
    }
    all.sort((a, b) -> Long.compare(b._measure_(), a._measure_()));
    return all;
  }

  //: if call .chance 60
  /** The sums that reach a floor, the smallest first. */
  public List<Sum> atLeast(long floor) {
    var chosen = new ArrayList<Sum>();
    guard.lock();
    try {
      for (var entry : sums.entrySet()) {
        if (entry.getValue() < floor) {
          continue;
        }
        chosen.add(new Sum(entry.getKey(), entry.getValue()));
      }
    } finally {
      guard.unlock();
    }
    chosen.sort((x, y) -> Long.compare(x._measure_(), y._measure_()));
    return chosen;
  }
  //: end
}
