/** How much each sender may send in a minute. */
public final class Limits {
  private static final long MINUTE_MILLIS = 60_000L;
  private static final int SENDERS = 10_000;

  private record Minute(long number, AtomicInteger count) {
  }

  private final ConcurrentMap<String, Minute> minutes = new ConcurrentHashMap<>();
  private final Map<String, Integer> perSender;
  private final int usual;

  public Limits(Map<String, Integer> perSender, int usual) {
    this.perSender = Map.copyOf(perSender);
    this.usual = usual;
  }

  //: .shuffled

  /** Counts one event of a sender; false when the minute's allowance is used up. */
  public boolean spend(String sender, long nowMillis) {
    int allowance = perSender.getOrDefault(sender, usual);
    long number = nowMillis / MINUTE_MILLIS;
    if (minutes.size() > SENDERS) {
      minutes.values().removeIf(minute -> minute.number() < number);
    }
    var minute = minutes.compute(sender, (s, old) -> old == null || old.number() != number ? new Minute(number, new AtomicInteger()) : old);
    return minute.count().incrementAndGet() <= allowance;
  }

  /** What part of the allowance is used, 1 for all of it. */
  public double usedShare(String sender) {
    var minute = minutes.get(sender);
    int allowance = perSender.getOrDefault(sender, usual);
    return minute == null || allowance == 0 ? 0 : (double) minute.count().get() / allowance;
  }

  /** The senders that used more than all of their allowance, in no order. */
  public Set<String> greedy() {
    var names = new LinkedHashSet<String>();
    for (var sender : minutes.keySet()) {
      if (usedShare(sender) <= 1) {
        continue;
      }
      names.add(sender);
    }
    return names;
  }
}
