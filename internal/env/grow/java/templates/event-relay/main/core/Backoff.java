/** How long to wait before the next attempt: twice as long each time, up to a ceiling. */
public final class Backoff {
  //: call .choose "steps" "8" "10" "12"
  private static final int STEPS = _steps_;

  private final long firstMillis;
  private final int ceilingSeconds;

  public Backoff(long firstMillis, int ceilingSeconds) {
    this.firstMillis = firstMillis;
    this.ceilingSeconds = ceilingSeconds;
  }

  //: .shuffled

  /** The pause before the attempt of this number, counted from 0. */
  public Duration pause(int attempt) {
    var ceiling = Duration.ofSeconds(ceilingSeconds);
    var doubled = Duration.ofMillis(firstMillis << Math.min(attempt, STEPS));
    return doubled.compareTo(ceiling) > 0 ? ceiling : doubled;
  }

  /** Waits as long as pause says; false when somebody interrupted. */
  public boolean rest(int attempt) {
    try {
      Thread.sleep(pause(attempt).toMillis());
      return true;
    } catch (InterruptedException woken) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** All pauses together, should every attempt fail. */
  public Duration total(int attempts) {
    var sum = Duration.ZERO;
    for (int i = attempts - 1; i >= 0; i--) {
      sum = sum.plus(pause(i));
    }
    return sum;
  }
}
