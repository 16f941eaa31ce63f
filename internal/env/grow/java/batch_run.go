package java

// leases keeps two runs from working on one file.
func (b *batch) leases() string {
	return b.body("/** Who works on which file at the moment. A lease that nobody gives back ends by itself. */\npublic final class Leases", `
    private record Lease(String holder, long endsAt) {
    }

    private final Map<String, Lease> leases = new HashMap<>();
    private final Clock clock;`, []string{`
    public Leases(Clock clock) {
        this.clock = clock;
    }`}, `
    /** Takes a lease for so many milliseconds; false while somebody else has it. */
    public synchronized boolean take(String file, String holder, long holdMillis) {
        Lease lease = leases.get(file);
        if (lease != null && lease.endsAt() > clock.millis()) {
            return false;
        }
        leases.put(file, new Lease(holder, clock.millis() + holdMillis));
        return true;
    }`, `
    /** Gives a lease back, unless it ended and somebody else has it by now. */
    public synchronized void release(String file, String holder) {
        Lease lease = leases.get(file);
        if (lease != null && lease.holder().equals(holder)) {
            leases.remove(file);
        }
    }`, `
    /** How many leases are out, ended ones included. */
    public synchronized int out() {
        return leases.size();
    }`)
}

// stage is one step over a file.
func (b *batch) stage() string {
	return b.body("/** One step of the run over one file. */\npublic final class Stage", `
    /** What a stage does. */
    @FunctionalInterface
    public interface Work {
        void run(Path file) throws IOException;
    }

    private final String name;
    private final Leases leases;
    private final Duration hold;
    private final Set<String> finished = ConcurrentHashMap.newKeySet();`, []string{`
    public Stage(String name, Leases leases, Duration hold) {
        this.name = name;
        this.leases = leases;
        this.hold = hold;
    }`}, b.one(`
    /** Runs the work unless somebody else is at it or it was done before; says whether it ran. */
    public boolean run(Path file, Work work) throws IOException {
        String key = key(file);
        String me = UUID.randomUUID().toString();
        if (!leases.take(key, me, hold.toMillis())) {
            return false;
        }
        try {
            if (!through(file)) {
                work.run(file);
                return finished.add(key);
            }
            return false;
        } finally {
            leases.release(key, me);
        }
    }`, `
    /** Does the work under a lease. False when another run has the lease, or the file is through already. */
    public boolean run(Path file, Work work) throws IOException {
        String key = key(file);
        String holder = UUID.randomUUID().toString();
        boolean mine = leases.take(key, holder, hold.toMillis());
        if (!mine) {
            return false;
        }
        try {
            if (finished.contains(key)) {
                return false;
            }
            work.run(file);
            return finished.add(key);
        } finally {
            leases.release(key, holder);
        }
    }`), `
    /** Whether this stage is through with a file. */
    public boolean through(Path file) {
        return finished.contains(key(file));
    }`, `
    private String key(Path file) {
        return name + ":" + file.getFileName();
    }`)
}

// clerks says who may approve.
func (b *batch) clerks() string {
	return b.body("/** The people who look at sums, and up to which amount each may approve them. */\npublic final class Clerks", `
    private final Map<String, Long> limits = new ConcurrentHashMap<>();
    private final Set<String> onLeave = ConcurrentHashMap.newKeySet();`, nil, `
    /** Sets up to how many cents somebody may approve. */
    public void limit(String clerk, long cents) {
        limits.put(clerk, cents);
    }`, `
    public void leave(String clerk) {
        onLeave.add(clerk);
    }`, b.one(`
    /** Whether a clerk may approve a sum that another one prepared: within the limit, at work, and never one's own. */
    public boolean mayApprove(String clerk, String preparedBy, long cents) {
        Long limit = limits.get(clerk);
        return limit != null && limit.longValue() >= cents && !onLeave.contains(clerk) && !clerk.equals(preparedBy);
    }`, `
    /** Whether somebody may approve what was prepared. */
    public boolean mayApprove(String clerk, String preparedBy, long cents) {
        boolean fit = !onLeave.contains(clerk) && limits.getOrDefault(clerk, -1L) >= cents;
        return fit && !preparedBy.equals(clerk);
    }`), `
    /** The clerks who could approve an amount now. */
    public List<String> fitFor(long cents) {
        return limits.entrySet().stream()
            .filter(entry -> entry.getValue() >= cents)
            .map(Map.Entry::getKey)
            .filter(clerk -> !onLeave.contains(clerk))
            .sorted()
            .toList();
    }`)
}

// approvals keeps who approved what.
func (b *batch) approvals() string {
	return b.body("/** Sums that were prepared, and who approved them. */\npublic final class Approvals", `
    private record Prepared(String by, long cents) {
    }

    private final Clerks clerks;
    private final Sums sums;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<String, String> approvedBy = new HashMap<>();`, []string{`
    public Approvals(Clerks clerks, Sums sums) {
        this.clerks = clerks;
        this.sums = sums;
    }`}, `
    /** Prepares the sum of a name for approval. */
    public synchronized void prepare(String clerk, String name) {
        long cents = sums.require(name).cents();
        prepared.put(name, new Prepared(clerk, cents));
    }`, `
    /** Approves a prepared sum. Throws SecurityException when the clerk may not. */
    public synchronized void approve(String clerk, String name) {
        Prepared sum = prepared.get(name);
        if (sum == null) {
            throw new NoSuchElementException("nothing prepared for " + name);
        }
        if (!clerks.mayApprove(clerk, sum.by(), sum.cents())) {
            throw new SecurityException(clerk + " may not approve " + name);
        }
        approvedBy.put(name, clerk);
        prepared.remove(name);
    }`, `
    /** Who approved a sum, null when nobody did. */
    public synchronized String approver(String name) {
        return approvedBy.get(name);
    }`, `
    /** Whether somebody other than the clerk has to look at a sum. */
    public synchronized boolean waitsForOthers(String clerk, String name) {
        Prepared sum = prepared.get(name);
        return sum != null && sum.by().equals(clerk);
    }`)
}

// folder is the directory of delivered files.
func (b *batch) folder() string {
	return b.body("/** The folder that files are delivered to, and the one they move to afterwards. */\npublic final class Folder", `
    private final Path inbox;
    private final Path done;`, []string{`
    public Folder(Path base) {
        this.inbox = base.resolve("inbox").toAbsolutePath().normalize();
        this.done = base.resolve("done").toAbsolutePath().normalize();
    }`}, b.one(`
    /** The delivered file of that name. Throws IOException for a name that leads out of the inbox. */
    public Path delivered(String name) throws IOException {
        Path file = inbox.resolve(name).normalize();
        if (!file.startsWith(inbox)) {
            throw new IOException("outside of the inbox: " + name);
        }
        return file;
    }`, `
    /** Where a delivered file lies; a name that leads elsewhere is refused with an IOException. */
    public Path delivered(String name) throws IOException {
        Path found = inbox.resolve(name).toAbsolutePath().normalize();
        if (!found.startsWith(inbox) || Files.isDirectory(found)) {
            throw new IOException("no delivered file: " + name);
        }
        return found;
    }`), `
    /** The delivered files in alphabetical order. */
    public List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(inbox)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }`, `
    /** Moves a file that is through out of the inbox. */
    public void finish(Path file) throws IOException {
        Files.createDirectories(done);
        Files.move(file, done.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }`)
}

// journal notes what runs did.
func (b *batch) journal() string {
	return b.body("/** What the runs did, a line each, kept for the auditors: lines are added, never changed. */\npublic final class Journal", `
    private final Path file;
    private int written;`, []string{`
    public Journal(Path file) {
        this.file = file;
    }`}, `
    /** Adds a line with the moment in front. */
    public synchronized void add(Instant moment, String text) throws IOException {
        String line = moment + " " + text.replace('\n', ' ').replace('\r', ' ') + System.lineSeparator();
        Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written++;
    }`, `
    /** How many lines this run added. */
    public synchronized int written() {
        return written;
    }`, `
    /** The lines that hold a word, no more than limit of them. */
    public List<String> search(String word, int limit) throws IOException {
        if (word == null || word.isEmpty()) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(word)).limit(Math.min(limit, 1_000)).toList();
        }
    }`)
}

// xmlSource reads rows from XML.
func (b *batch) xmlSource() string {
	return b.body("/** Reads rows from an XML file: one element a row, its attributes the cells. */\npublic final class XmlSource", "", nil, b.one(`
    /** The rows of a file whose elements have that name. */
    public List<Row> read(Path file, String element) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Document document = parser().parse(in);
            NodeList found = document.getElementsByTagName(element);
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                rows.add(row(i + 1, (Element) found.item(i)));
            }
            return rows;
        } catch (SAXException e) {
            throw new IOException("not well-formed: " + file, e);
        }
    }`, `
    /** Reads the elements of that name, in the order of the file. */
    public List<Row> read(Path file, String element) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            NodeList found = parser().parse(in).getElementsByTagName(element);
            for (int i = 0; i < found.getLength(); i++) {
                rows.add(row(i + 1, (Element) found.item(i)));
            }
        } catch (SAXException e) {
            throw new IOException("broken file " + file, e);
        }
        return rows;
    }`), `
    private static DocumentBuilder parser() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setXIncludeAware(false);
            return factory.newDocumentBuilder();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("no parser", e);
        }
    }`, `
    private static Row row(int number, Element element) {
        Map<String, String> cells = new HashMap<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            cells.put(element.getAttributes().item(i).getNodeName(), element.getAttributes().item(i).getNodeValue());
        }
        return new Row(number, cells);
    }`)
}

// seal checks where a file comes from.
func (b *batch) seal() string {
	return b.body("/** Checks that a delivered file comes from the one who knows the key. */\npublic final class Seal", `
    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();`, []string{`
    public Seal(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }`}, `
    /** Whether the seal next to a file is the right one. */
    public boolean holds(Path file, byte[] seal) throws IOException {
        byte[] wanted = compute(Files.readAllBytes(file));
        return MessageDigest.isEqual(wanted, seal);
    }`, `
    /** A number for a receipt that cannot be guessed. */
    public String receipt() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }`, `
    private byte[] compute(byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot compute a seal", e);
        }
    }`)
}

// options are the settings of a run.
func (b *batch) options() string {
	return b.body("/** The settings of a run, from a file of properties. */\npublic final class Options", `
    private final Properties properties = new Properties();`, []string{`
    public Options(Path file) throws IOException {
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
    }`}, `
    /** The key that files are sealed with; IllegalStateException when none is set. */
    public byte[] sealKey() {
        String key = properties.getProperty("seal.secret");
        if (key == null || key.isBlank()) {
            throw new IllegalStateException("seal.secret is not set");
        }
        return HexFormat.of().parseHex(key);
    }`, `
    /** How many files are worked on at once, between 1 and 16. */
    public int workers() {
        int wanted = Integer.parseInt(properties.getProperty("workers", "4"));
        return Math.min(Math.max(wanted, 1), 16);
    }`, `
    /** How long a run may keep a file to itself. */
    public Duration hold() {
        return Duration.ofMinutes(Math.max(1, Long.parseLong(properties.getProperty("hold.minutes", "10"))));
    }`)
}
