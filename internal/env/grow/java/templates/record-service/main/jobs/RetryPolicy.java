/** Tries something again while it fails with an IOException. */
public final class RetryPolicy {
    /** Something that may fail. */
    @FunctionalInterface
    public interface Action<T> {
        T run() throws IOException;
    }

    private final int attempts;
    private final long pauseMillis;

    public RetryPolicy(int attempts, long pauseMillis) {
        if (attempts < 1) {
            throw new IllegalArgumentException("one attempt at least");
        }
        this.attempts = attempts;
        this.pauseMillis = pauseMillis;
    }

    /** The result of the first attempt that works; the failure of the last one otherwise. */
    public <T> T call(Action<T> action) throws IOException {
        IOException last = null;
        for (int i = 0; i < attempts; i++) {
            try {
                return action.run();
            } catch (IOException e) {
                last = e;
                if (i < attempts - 1) {
                    pause(i);
                }
            }
        }
        throw last;
    }

    private void pause(int attempt) throws IOException {
        try {
            Thread.sleep(pauseMillis << Math.min(attempt, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
