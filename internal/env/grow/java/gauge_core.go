package java

// series is a list of measurements.
func (g *gauge) series() string {
	return g.body("// Measurements in the order in which they were added. One thread fills a series, any thread may read it.\npublic class Series", `
	public record Point(long at, double value, String tag) {}

	private final List<Point> points = new ArrayList<>();
	private final ReentrantLock door = new ReentrantLock();`, nil, `
	public Series add(long at, double value, String tag) {
		door.lock();
		try {
			points.add(new Point(at, value, Objects.requireNonNull(tag)));
			return this;
		} finally {
			door.unlock();
		}
	}`, `
	// points answers all measurements.
	public List<Point> points() {
		door.lock();
		try {
			return new ArrayList<>(points);
		} finally {
			door.unlock();
		}
	}`, `
	// slice answers what was measured between two moments.
	public Series slice(long start, long end) {
		Series part = new Series();
		for (Point p : points()) {
			if (start <= p.at() && p.at() < end) {
				part.add(p.at(), p.value(), p.tag());
			}
		}
		return part;
	}`, g.one(`
	// largest answers the points by their values.
	public List<Point> largest() {
		List<Point> sorted = points();
		sorted.sort((p, q) -> Double.compare(q.value(), p.value()));
		return sorted;
	}`, `
	// largest answers the points by their values, equal ones as they came.
	public List<Point> largest() {
		return points().stream().sorted((p, q) -> Double.compare(q.value(), p.value())).toList();
	}`), `
	// indexOf answers where the first point of a tag stands.
	public int indexOf(String tag) {
		List<Point> all = points();
		for (int at = 0; at < all.size(); at++) {
			if (all.get(at).tag().equals(tag)) {
				return at;
			}
		}
		return -1;
	}`, `
	// mean is NaN for an empty series.
	public double mean() {
		double sum = 0;
		List<Point> all = points();
		for (int at = all.size() - 1; at >= 0; at--) {
			sum += all.get(at).value();
		}
		return all.isEmpty() ? Double.NaN : sum / all.size();
	}`, `
	// hits is the share of points at or above a floor.
	public double hits(double floor) {
		int above = 0, all = 0;
		for (Point p : points()) {
			all++;
			if (p.value() < floor) {
				continue;
			}
			above++;
		}
		return all == 0 ? 0 : (double) above / all;
	}`)
}

func (g *gauge) seriesTest() string {
	return g.body("class SeriesTest", "\tprivate final Series series = new Series().add(1, 5, \"a\").add(2, 7, \"b\");", nil, `
	@Test
	void sliceLeavesItsEndOut() {
		assertEquals(1, series.slice(1, 2).points().size());
	}`, `
	@Test
	void largestStandsInFront() {
		assertEquals("b", series.largest().get(0).tag());
	}`, `
	@Test
	void unknownTagsHaveNoIndex() {
		assertEquals(-1, series.indexOf("c"));
	}`)
}

// shelf is a cache.
func (g *gauge) shelf() string {
	return g.body("// Series by name, the ones used last; the rest is read again when it is wanted.\npublic class Shelf", `
	private static final int SLOTS = `+g.one("32", "64", "128")+`;

	private final ConcurrentHashMap<String, Integer> asked = new ConcurrentHashMap<>();
	private final LinkedHashMap<String, Series> kept = new LinkedHashMap<>(16, 0.75f, true);`, nil, `
	public synchronized Series get(String name, Supplier<Series> load) {
		Series held = kept.get(name);
		if (held == null) {
			held = load.get();
			kept.put(name, held);
			if (kept.size() > SLOTS) {
				kept.remove(kept.keySet().iterator().next());
			}
		}
		return held;
	}`, `
	// ask counts how often a name was wanted.
	public int ask(String name) {
		if (asked.size() > 100 * SLOTS) {
			asked.clear();
		}
		return asked.merge(name, 1, Integer::sum);
	}`, `
	// popularity is how often a name was wanted so far.
	public int popularity(String name) {
		return asked.getOrDefault(name, 0);
	}`, `
	public synchronized boolean holds(String name) {
		return kept.containsKey(name);
	}`)
}

// console writes tables.
func (g *gauge) console() string {
	return g.body("// Output in columns.\npublic class Console", `
	private final PrintStream sink;
	private final Deque<String> pending = new ArrayDeque<>();`, []string{`
	public Console(PrintStream sink) {
		this.sink = sink;
	}`}, `
	public void row(Object... cells) {
		StringBuilder text = new StringBuilder();
		for (Object cell : cells) {
			text.append(String.format("%-16s", plain(String.valueOf(cell))));
		}
		pending.addLast(text.toString().stripTrailing());
	}`, `
	// flush prints what waits; a row stays until it was printed.
	public int flush() {
		int printed = 0;
		for (String text : List.copyOf(pending)) {
			sink.println(text);
			pending.removeFirst();
			printed++;
		}
		return printed;
	}`, `
	// plain leaves out what a terminal would take for a command.
	static String plain(String text) {
		StringBuilder kept = new StringBuilder();
		for (char c : text.toCharArray()) {
			if (Character.isISOControl(c)) {
				continue;
			}
			kept.append(c);
		}
		return kept.toString();
	}`, `
	// bar draws a share between 0 and 1.
	public String bar(double share) {
		int width = (int) Math.round(20 * Math.min(1, Math.max(0, share)));
		return "#".repeat(width) + ".".repeat(20 - width);
	}`)
}

// ticker runs things from time to time.
func (g *gauge) ticker() string {
	return g.body("// Runs tasks again and again until it is closed.\npublic class Ticker implements AutoCloseable", `
	private static final Logger LOG = Logger.getLogger("gauge.ticker");

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
	private final ConcurrentHashMap<String, AtomicInteger> runs = new ConcurrentHashMap<>();
	private final int closeSeconds;`, []string{`
	public Ticker(int closeSeconds) {
		this.closeSeconds = closeSeconds;
	}`}, `
	public ScheduledFuture<?> every(int periodSeconds, String label, Runnable task) {
		return threads.scheduleAtFixedRate(() -> tick(label, task), periodSeconds, periodSeconds, TimeUnit.SECONDS);
	}`, `
	// tick keeps a failing task from ending its timer.
	private void tick(String label, Runnable task) {
		try {
			task.run();
			AtomicInteger counter = runs.computeIfAbsent(label, fresh -> new AtomicInteger());
			counter.incrementAndGet();
		} catch (RuntimeException failed) {
			LOG.log(Level.WARNING, failed, () -> label + " failed");
		}
	}`, `
	public int runsOf(String label) {
		AtomicInteger counter = runs.get(label);
		return counter == null ? 0 : counter.get();
	}`, `
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
	}`)
}

// tool starts other programs.
func (g *gauge) tool() string {
	return g.body("// Starts the programs that measurements come from.\npublic class Tool", `
	private final Path workspace;
	private final int limitSeconds;`, []string{`
	public Tool(Path workspace, int limitSeconds) {
		this.workspace = workspace;
		this.limitSeconds = limitSeconds;
	}`}, g.one(`
	// sample has a probe write its measurements into a file and answers whether that went well.
	public boolean sample(String probe, String subject, Path into) throws IOException {
		Process started = new ProcessBuilder(probe, "--once", subject).directory(workspace.toFile()).redirectOutput(into.toFile()).start();
		return ended(started);
	}`, `
	// sample runs a probe on a subject; what it prints ends in the file.
	public boolean sample(String probe, String subject, Path into) throws IOException {
		ProcessBuilder plan = new ProcessBuilder(List.of(probe, "--subject", subject));
		plan.directory(workspace.toFile());
		plan.redirectOutput(into.toFile());
		return ended(plan.start());
	}`), `
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
	}`, `
	// rest lets a busy machine breathe between two samples.
	public boolean rest(int millis) {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			return false;
		}
		return true;
	}`, `
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
	}`)
}

// keyring checks who wrote a file of measurements.
func (g *gauge) keyring() string {
	return g.body("// Keys for files that travel: one for each station, out of its passphrase.\npublic class Keyring", `
	private static final int CYCLES = `+g.one("250_000", "400_000", "600_000")+`;

	private final Map<String, byte[]> salts = new ConcurrentHashMap<>();
	private final Map<String, Set<String>> readable = new ConcurrentHashMap<>();`, nil, `
	public void open(String name, Set<String> series) {
		readable.put(name, Set.copyOf(series));
	}`, `
	// mayRead says whether a station may read every one of the series.
	public boolean mayRead(String name, List<String> series) {
		Set<String> open = readable.getOrDefault(name, Set.of());
		return series.stream().allMatch(open::contains);
	}`, `
	public void station(String name, byte[] salt) {
		salts.put(name, salt.clone());
	}`, `
	byte[] derive(String name, char[] passphrase) throws GeneralSecurityException {
		byte[] salt = salts.get(name);
		if (salt == null) {
			throw new GeneralSecurityException("no such station: " + name);
		}
		PBEKeySpec spec = new PBEKeySpec(passphrase, salt, CYCLES, 512);
		return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
	}`, `
	// isFrom says whether a station wrote that content; a station that is not known wrote nothing.
	public boolean isFrom(String name, char[] passphrase, byte[] content, byte[] mark) {
		try {
			Mac mac = Mac.getInstance("HmacSHA384");
			mac.init(new SecretKeySpec(derive(name, passphrase), "HmacSHA384"));
			return MessageDigest.isEqual(mark, mac.doFinal(content));
		} catch (GeneralSecurityException unusable) {
			return false;
		}
	}`)
}

// fetcher reads measurements over HTTP.
func (g *gauge) fetcher() string {
	return g.body("// Reads measurements that stations publish. Only stations on the list are asked.\npublic class Fetcher", `
	private final HttpClient web = HttpClient.newHttpClient();
	private final Set<String> trustedHosts;
	private final int waitSeconds;`, []string{`
	public Fetcher(Set<String> trustedHosts, int waitSeconds) {
		this.trustedHosts = new HashSet<>(trustedHosts);
		this.waitSeconds = waitSeconds;
	}`}, `
	public String read(URI station) throws IOException {
		if (!trustedHosts.contains(station.getHost())) {
			throw new IOException("not on the list: " + station.getHost());
		}
		HttpRequest question = HttpRequest.newBuilder(station).timeout(Duration.ofSeconds(waitSeconds)).build();
		try {
			HttpResponse<String> reply = web.send(question, HttpResponse.BodyHandlers.ofString());
			if (reply.statusCode() != 200) {
				throw new IOException(station + " said " + reply.statusCode());
			}
			return reply.body();
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			throw new IOException("stopped while asking " + station, hurry);
		}
	}`, `
	// readAll asks each station once; those that fail are passed over.
	public Map<URI, String> readAll(Collection<URI> stations) {
		Map<URI, String> replies = new LinkedHashMap<>();
		for (URI station : stations) {
			if (station.getHost() == null || replies.containsKey(station)) {
				continue;
			}
			try {
				replies.put(station, read(station));
			} catch (IOException silent) {
				Logger.getLogger("gauge.fetcher").log(Level.INFO, "no reply", silent);
			}
		}
		return replies;
	}`)
}

// stash keeps series on disk.
func (g *gauge) stash() string {
	return g.body("// Series on disk, a file each, for the next run.\npublic class Stash", `
	private static final ObjectInputFilter ONLY_NUMBERS = ObjectInputFilter.Config.createFilter("java.util.ArrayList;java.lang.Double;java.lang.Number;java.lang.Object;!*");

	private final Path home;`, []string{`
	public Stash(Path home) {
		this.home = home;
	}`}, `
	public void keep(String name, List<Double> values) throws IOException {
		Files.createDirectories(home);
		try (ObjectOutputStream disk = new ObjectOutputStream(Files.newOutputStream(home.resolve(fileOf(name))))) {
			disk.writeObject(new ArrayList<>(values));
		}
	}`, `
	// recall answers the values that were kept, none for a name that is new.
	public List<Double> recall(String name) throws IOException {
		List<Double> values = new ArrayList<>();
		try (ObjectInputStream disk = new ObjectInputStream(Files.newInputStream(home.resolve(fileOf(name))))) {
			disk.setObjectInputFilter(ONLY_NUMBERS);
			for (Object value : (List<?>) disk.readObject()) {
				values.add((Double) value);
			}
		} catch (NoSuchFileException fresh) {
			return values;
		} catch (ClassNotFoundException | ClassCastException other) {
			throw new IOException("no series in " + name, other);
		}
		return values;
	}`, `
	private static String fileOf(String name) {
		if (!name.matches("[A-Za-z0-9_]+")) {
			throw new IllegalArgumentException("letters and digits only: " + name);
		}
		return name + ".series";
	}`)
}

// meters count what the tool does.
func (g *gauge) meters() string {
	return g.body("// What the tool did in this run, by name.\npublic class Meters", `
	private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
	private final ReentrantLock order = new ReentrantLock();
	private final List<String> firstUse = new ArrayList<>();`, nil, `
	public void count(String name, long by) {
		order.lock();
		try {
			if (!firstUse.contains(name)) {
				firstUse.add(name);
			}
			counts.computeIfAbsent(name, unused -> new LongAdder()).add(by);
		} finally {
			order.unlock();
		}
	}`, `
	public long of(String name) {
		LongAdder adder = counts.get(name);
		return adder == null ? 0 : adder.sum();
	}`, `
	// names answers a list of the names, the first one used in front, for the caller to keep.
	public List<String> names() {
		order.lock();
		try {
			return new ArrayList<>(firstUse);
		} finally {
			order.unlock();
		}
	}`, `
	// share is the part of the first count in the second.
	public double share(String part, String whole) {
		long all = of(whole);
		return all == 0 ? 0 : (double) of(part) / all;
	}`)
}
