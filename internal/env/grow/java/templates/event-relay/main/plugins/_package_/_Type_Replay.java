/** Gives a plugin again what the projection of _label_ remembers. */
public final class _Type_Replay {
  private static final long DAY_MILLIS = 86_400_000L;

  private final _Type_Projection projection;
  private final Inbox inbox;

  public _Type_Replay(_Type_Projection projection, Inbox inbox) {
    this.projection = projection;
    this.inbox = inbox;
  }

  //: .shuffled

  /** All remembered events in order of their positions; the newest wins where a plugin keeps one. */
  public int into(_Type_Plugin plugin) {
    var events = projection.all();
    events.removeIf(event -> !plugin.accepts(event));
    events.sort(Comparator.comparingLong(Event::seq));
    for (int i = 0; i < events.size(); i++) {
      plugin.take(events.get(i));
    }
    return events.size();
  }

  /** The remembered events backwards, the last one first. */
  public List<Event> backwards() {
    var events = projection.all();
    var reversed = new ArrayList<Event>(events.size());
    for (int i = events.size() - 1; i >= 0; i--) {
      reversed.add(events.get(i));
    }
    return reversed;
  }

  //: if call .coin
  /** How many waiting events fall on each day, from the first moment on. */
  public List<Integer> perDay(long firstMillis, int days) {
    var counts = new ArrayList<Integer>();
    long dawn = firstMillis;
    while (counts.size() < days) {
      long dusk = dawn + DAY_MILLIS;
      counts.add(inbox.between(dawn, dusk).size());
      dawn = dusk;
    }
    return counts;
  }

  //: else
  /** The day with the most waiting events, counted from the first moment; -1 when nothing waits. */
  public int busiestDay(long firstMillis, int days) {
    int best = -1;
    int most = 0;
    long begin = firstMillis;
    for (int day = 0; day < days; day++) {
      long end = begin + DAY_MILLIS;
      int count = inbox.between(begin, end).size();
      if (count > most) {
        most = count;
        best = day;
      }
      begin = end;
    }
    return best;
  }

  //: end

  /** Milliseconds that the longest-waiting event has waited by now, 0 when none waits. */
  public long backlogMillis(long nowMillis) {
    var waiting = inbox.byTime();
    return waiting.isEmpty() ? 0 : nowMillis - waiting.get(0).atMillis();
  }
}
