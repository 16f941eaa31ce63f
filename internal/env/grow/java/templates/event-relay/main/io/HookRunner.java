/** Runs the operator's hook program with what happened as its arguments. */
public final class HookRunner {
  private final String program;
  private final int graceSeconds;

  public HookRunner(String program, int graceSeconds) {
    this.program = program;
    this.graceSeconds = graceSeconds;
  }

  //: .shuffled

  //: if call .coin
  /** Whether the hook ended well, within its grace. */
  public boolean run(String kind, String subject) throws IOException {
    Process child = new ProcessBuilder(program, "--kind", kind, "--", subject).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      if (child.waitFor(graceSeconds, TimeUnit.SECONDS)) {
        return child.exitValue() == 0;
      }
      child.destroyForcibly();
      return false;
    } catch (InterruptedException stopped) {
      child.destroyForcibly();
      Thread.currentThread().interrupt();
      return false;
    }
  }

  //: else
  /** Starts the hook and answers whether it ended with 0 before its grace was over. */
  public boolean run(String kind, String subject) throws IOException {
    var builder = new ProcessBuilder(program, kind, "--", subject);
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    var child = builder.start();
    boolean ended = false;
    try {
      ended = child.waitFor(graceSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      child.destroyForcibly();
    }
    return ended && child.exitValue() == 0;
  }

  //: end

  /** Whether a program answers at all on this machine. */
  public static boolean shellWorks() {
    try {
      return new ProcessBuilder("uname", "-s").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor(5, TimeUnit.SECONDS);
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
