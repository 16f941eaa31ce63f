// Runs tasks again and again until it is closed.
public class Ticker implements AutoCloseable {
	private static final Logger LOG = Logger.getLogger("gauge.ticker");

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
	private final ConcurrentHashMap<String, AtomicInteger> runs = new ConcurrentHashMap<>();
	private final int closeSeconds;

	public Ticker(int closeSeconds) {
		this.closeSeconds = closeSeconds;
	}

	//: .shuffled

	public ScheduledFuture<?> every(int periodSeconds, String label, Runnable task) {
		return threads.scheduleAtFixedRate(() -> tick(label, task), periodSeconds, periodSeconds, TimeUnit.SECONDS);
	}

	// tick keeps a failing task from ending its timer.
	private void tick(String label, Runnable task) {
		try {
			task.run();
			AtomicInteger counter = runs.computeIfAbsent(label, fresh -> new AtomicInteger());
			counter.incrementAndGet();
		} catch (RuntimeException failed) {
			LOG.log(Level.WARNING, failed, () -> label + " failed");
		}
	}

	public int runsOf(String label) {
		AtomicInteger counter = runs.get(label);
		return counter == null ? 0 : counter.get();
	}

	@Override
	public void close() {
		threads.shutdown();
		try {
			if (!threads.awaitTermination(closeSeconds, TimeUnit.SECONDS)) {
				threads.shutdownNow();
			}
		} catch (InterruptedException hurry) {
			threads.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}
}
