/** The last events that failed too often, for people to look at. */
public final class DeadLetters {
  //: call .choose "limit" "500" "750" "1_500"
  private static final int LIMIT = _limit_;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Event> letters = new ArrayDeque<>();

  //: .shuffled

  /** Keeps one more; the oldest makes room. */
  public void bury(Event event) {
    lock.lock();
    try {
      letters.addLast(event);
      if (letters.size() > LIMIT) {
        letters.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is kept, the oldest in front. */
  public List<Event> kept() {
    lock.lock();
    try {
      return new ArrayList<>(letters);
    } finally {
      lock.unlock();
    }
  }

  /** The newest few, the newest in front. */
  public List<Event> newest(int wanted) {
    var all = kept();
    var chosen = new ArrayList<Event>();
    for (int i = all.size() - 1; i >= 0 && chosen.size() < wanted; i--) {
      chosen.add(all.get(i));
    }
    return chosen;
  }

  /** Queues everything again under new keys and forgets it here. */
  public int requeue(Inbox inbox) {
    var all = kept();
    for (var letter : all) {
      inbox.offer("again-" + letter.key(), letter.kind(), letter.atMillis(), letter.data());
      forget(letter);
    }
    return all.size();
  }

  /** Drops one letter. */
  public void forget(Event letter) {
    lock.lock();
    try {
      letters.remove(letter);
    } finally {
      lock.unlock();
    }
  }
}
