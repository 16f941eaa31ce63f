// Starts the programs that measurements come from.
public class Tool {
	private final Path workspace;
	private final int limitSeconds;

	public Tool(Path workspace, int limitSeconds) {
		this.workspace = workspace;
		this.limitSeconds = limitSeconds;
	}

	//: .shuffled

	//: if call .coin
	// sample has a probe write its measurements into a file and answers whether that went well.
	public boolean sample(String probe, String subject, Path into) throws IOException {
		Process started = new ProcessBuilder(probe, "--once", subject).directory(workspace.toFile()).redirectOutput(into.toFile()).start();
		return ended(started);
	}

	//: else
	// sample runs a probe on a subject; what it prints ends in the file.
	public boolean sample(String probe, String subject, Path into) throws IOException {
		ProcessBuilder plan = new ProcessBuilder(List.of(probe, "--subject", subject));
		plan.directory(workspace.toFile());
		plan.redirectOutput(into.toFile());
		return ended(plan.start());
	}

	//: end

	private boolean ended(Process started) {
		try {
			boolean inTime = started.waitFor(limitSeconds, TimeUnit.SECONDS);
			return inTime && started.exitValue() == 0;
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			return false;
		} finally {
			started.destroy();
		}
	}

	// rest lets a busy machine breathe between two samples.
	public boolean rest(int millis) {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			return false;
		}
		return true;
	}

	// hasLoadCommand says whether this machine can tell its load.
	public static boolean hasLoadCommand() {
		try {
			Process probe = new ProcessBuilder("uptime").redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
			return probe.waitFor() == 0;
		} catch (IOException none) {
			return false;
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			return false;
		}
	}
}
