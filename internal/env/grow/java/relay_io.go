package java

// snapshots keeps events on disk.
func (r *relay) snapshots() string {
	return r.body("/** Keeps lists of events on disk between two runs. */\npublic final class Snapshots", `
  private static final ObjectInputFilter ALLOWED =
      ObjectInputFilter.Config.createFilter("java.util.*;java.lang.Object;" + Event.class.getName() + ";!*");

  private final Path folder;`, []string{`
  public Snapshots(Path folder) {
    this.folder = folder;
  }`}, `
  /** Replaces the snapshot in one step, so that a crash leaves the old one or the new one. */
  public void save(String label, List<Event> events) throws IOException {
    var fresh = folder.resolve(checked(label) + ".new");
    try (var sink = new ObjectOutputStream(Files.newOutputStream(fresh))) {
      sink.writeObject(new ArrayList<>(events));
    }
    Files.move(fresh, folder.resolve(label + ".events"), StandardCopyOption.ATOMIC_MOVE);
  }`, `
  /** The events of a snapshot. Anything else in the file is refused with an IOException. */
  public List<Event> restore(String label) throws IOException {
    var source = folder.resolve(checked(label) + ".events");
    try (var stream = new ObjectInputStream(new BufferedInputStream(Files.newInputStream(source)))) {
      stream.setObjectInputFilter(ALLOWED);
      var events = new ArrayList<Event>();
      for (Object each : (List<?>) stream.readObject()) {
        events.add((Event) each);
      }
      return events;
    } catch (ClassNotFoundException | ClassCastException odd) {
      throw new IOException("not a snapshot: " + source, odd);
    }
  }`, `
  private static String checked(String label) {
    if (!label.matches("[a-z0-9-]{1,40}")) {
      throw new IllegalArgumentException("labels are short and plain, not " + label);
    }
    return label;
  }`)
}

// webhook tells others over HTTP.
func (r *relay) webhook() string {
	return r.body("/** Posts events to addresses that subscribers chose, on hosts that the operator allows. */\npublic final class Webhook", `
  private final HttpClient client;
  private final Set<String> allowedHosts;
  private final int timeoutSeconds;`, []string{`
  public Webhook(HttpClient client, Set<String> allowedHosts, int timeoutSeconds) {
    this.client = client;
    this.allowedHosts = Set.copyOf(allowedHosts);
    this.timeoutSeconds = timeoutSeconds;
  }`}, r.one(`
  /** Posts a text and answers the status. The host must be one of the allowed ones. */
  public int post(String address, String text) throws IOException, InterruptedException {
    URI target = URI.create(address);
    String host = target.getHost();
    if (host == null || !allowedHosts.contains(host)) {
      throw new IOException("address not allowed: " + address);
    }
    var call = HttpRequest.newBuilder(target)
        .timeout(Duration.ofSeconds(timeoutSeconds))
        .POST(HttpRequest.BodyPublishers.ofString(text))
        .build();
    return client.send(call, HttpResponse.BodyHandlers.discarding()).statusCode();
  }`, `
  /** Sends a text to an address on an allowed host; the answer is the status. */
  public int post(String address, String text) throws IOException, InterruptedException {
    var target = URI.create(address);
    if (!"https".equals(target.getScheme()) || target.getHost() == null) {
      throw new IOException("not a web address: " + address);
    }
    if (!allowedHosts.contains(target.getHost())) {
      throw new IOException("host not allowed: " + target.getHost());
    }
    Duration patience = Duration.ofSeconds(timeoutSeconds);
    var call = HttpRequest.newBuilder(target).timeout(patience).POST(HttpRequest.BodyPublishers.ofString(text)).build();
    return client.send(call, HttpResponse.BodyHandlers.discarding()).statusCode();
  }`), `
  /** Posts to each address; answers those that did not take the text. */
  public List<String> broadcast(List<String> addresses, String text) throws InterruptedException {
    var refused = new ArrayList<String>();
    for (var address : addresses) {
      if (address.isBlank()) {
        continue;
      }
      try {
        if (post(address, text) / 100 != 2) {
          refused.add(address);
        }
      } catch (IOException | IllegalArgumentException unreachable) {
        refused.add(address);
      }
    }
    return refused;
  }`)
}

// hookRunner starts programs.
func (r *relay) hookRunner() string {
	return r.body("/** Runs the operator's hook program with what happened as its arguments. */\npublic final class HookRunner", `
  private final String program;
  private final int graceSeconds;`, []string{`
  public HookRunner(String program, int graceSeconds) {
    this.program = program;
    this.graceSeconds = graceSeconds;
  }`}, r.one(`
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
  }`, `
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
  }`), `
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
  }`)
}

// vault encrypts what plugins must keep to themselves.
func (r *relay) vault() string {
	return r.body("/** Derives the relay's keys from a passphrase. */\npublic final class Vault", `
  private static final int ROUNDS = 300_000;
  private static final int SALT_LENGTH = 16;

  private final SecureRandom chance = new SecureRandom();`, nil, `
  /** A fresh salt for a new key. */
  public byte[] newSalt() {
    var salt = new byte[SALT_LENGTH];
    chance.nextBytes(salt);
    return salt;
  }`, `
  /** The key that belongs to a passphrase and a salt. */
  public SecretKeySpec keyFor(char[] passphrase, byte[] salt) throws GeneralSecurityException {
    if (salt.length < SALT_LENGTH) {
      throw new InvalidKeySpecException("salt too short");
    }
    var factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512");
    var secret = factory.generateSecret(new PBEKeySpec(passphrase, salt, ROUNDS, 256));
    return new SecretKeySpec(secret.getEncoded(), "AES");
  }`, `
  /** Lower-case hexadecimal, two digits a byte. */
  public static String hex(byte[] raw) {
    var text = new StringBuilder(raw.length * 2);
    for (byte b : raw) {
      text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.toString();
  }`)
}

// gate lets in what senders signed.
func (r *relay) gate() string {
	return r.body("/** Lets events in that carry the signature of a known sender. */\npublic final class Gate", `
  private static final Logger LOG = Logger.getLogger("relay.gate");

  private final Map<String, SecretKeySpec> senders = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> kindsOf = new ConcurrentHashMap<>();`, nil, `
  /** Says which kinds of event a sender may send. */
  public void allow(String sender, Set<String> kinds) {
    kindsOf.put(sender, Set.copyOf(kinds));
  }`, `
  /** Whether a sender may send events of all these kinds. */
  public boolean maySend(String sender, Set<String> kinds) {
    var allowed = kindsOf.getOrDefault(sender, Set.of());
    return allowed.containsAll(kinds);
  }`, `
  public void admit(String sender, byte[] secret) {
    senders.put(sender, new SecretKeySpec(secret, "HmacSHA512"));
  }`, r.one(`
  /** Whether the signature over the text is the sender's. */
  public boolean genuine(String sender, String text, byte[] signature) {
    var key = senders.get(sender);
    if (key == null) {
      return false;
    }
    try {
      var mac = Mac.getInstance("HmacSHA512");
      mac.init(key);
      return MessageDigest.isEqual(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)), signature);
    } catch (GeneralSecurityException broken) {
      LOG.log(Level.WARNING, "cannot check a signature", broken);
      return false;
    }
  }`, `
  /** True for a text that this sender signed, false for everything else. */
  public boolean genuine(String sender, String text, byte[] signature) {
    if (!senders.containsKey(sender)) {
      return false;
    }
    try {
      var mac = Mac.getInstance("HmacSHA512");
      mac.init(senders.get(sender));
      byte[] right = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return MessageDigest.isEqual(right, signature);
    } catch (GeneralSecurityException refused) {
      LOG.log(Level.FINE, "not admitted", refused);
      return false;
    }
  }`), `
  /** Those senders that may write now, in alphabetical order. */
  public List<String> admitted() {
    var names = new ArrayList<>(senders.keySet());
    names.sort(Comparator.naturalOrder());
    return names;
  }`)
}

// deadLetters keeps what failed too often.
func (r *relay) deadLetters() string {
	return r.body("/** The last events that failed too often, for people to look at. */\npublic final class DeadLetters", `
  private static final int LIMIT = `+r.one("500", "750", "1_500")+`;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Event> letters = new ArrayDeque<>();`, nil, `
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
  }`, `
  /** What is kept, the oldest in front. */
  public List<Event> kept() {
    lock.lock();
    try {
      return new ArrayList<>(letters);
    } finally {
      lock.unlock();
    }
  }`, `
  /** The newest few, the newest in front. */
  public List<Event> newest(int wanted) {
    var all = kept();
    var chosen = new ArrayList<Event>();
    for (int i = all.size() - 1; i >= 0 && chosen.size() < wanted; i--) {
      chosen.add(all.get(i));
    }
    return chosen;
  }`, `
  /** Queues everything again under new keys and forgets it here. */
  public int requeue(Inbox inbox) {
    var all = kept();
    for (var letter : all) {
      inbox.offer("again-" + letter.key(), letter.kind(), letter.atMillis(), letter.data());
      forget(letter);
    }
    return all.size();
  }`, `
  /** Drops one letter. */
  public void forget(Event letter) {
    lock.lock();
    try {
      letters.remove(letter);
    } finally {
      lock.unlock();
    }
  }`)
}

func (r *relay) deadLettersTest() string {
	return r.body("class DeadLettersTest", "  private final DeadLetters letters = new DeadLetters();", nil, `
  @Test
  void newestComesFirst() {
    letters.bury(new Event(1, "a", "x", 1, Map.of()));
    letters.bury(new Event(2, "b", "x", 2, Map.of()));
    assertEquals(2, letters.newest(1).get(0).seq());
  }`, `
  @Test
  void requeuedLettersAreGone() {
    letters.bury(new Event(1, "a", "x", 1, Map.of()));
    assertEquals(1, letters.requeue(new Inbox()));
    assertTrue(letters.kept().isEmpty());
  }`)
}

// backoff waits longer and longer.
func (r *relay) backoff() string {
	return r.body("/** How long to wait before the next attempt: twice as long each time, up to a ceiling. */\npublic final class Backoff", `
  private static final int STEPS = `+r.one("8", "10", "12")+`;

  private final long firstMillis;
  private final int ceilingSeconds;`, []string{`
  public Backoff(long firstMillis, int ceilingSeconds) {
    this.firstMillis = firstMillis;
    this.ceilingSeconds = ceilingSeconds;
  }`}, `
  /** The pause before the attempt of this number, counted from 0. */
  public Duration pause(int attempt) {
    var ceiling = Duration.ofSeconds(ceilingSeconds);
    var doubled = Duration.ofMillis(firstMillis << Math.min(attempt, STEPS));
    return doubled.compareTo(ceiling) > 0 ? ceiling : doubled;
  }`, `
  /** Waits as long as pause says; false when somebody interrupted. */
  public boolean rest(int attempt) {
    try {
      Thread.sleep(pause(attempt).toMillis());
      return true;
    } catch (InterruptedException woken) {
      Thread.currentThread().interrupt();
      return false;
    }
  }`, `
  /** All pauses together, should every attempt fail. */
  public Duration total(int attempts) {
    var sum = Duration.ZERO;
    for (int i = attempts - 1; i >= 0; i--) {
      sum = sum.plus(pause(i));
    }
    return sum;
  }`)
}

// registry holds plugins by name.
func (r *relay) registry() string {
	return r.body("/** Plugins by name, with the order in which they get events. */\npublic final class PluginRegistry", `
  private record Entry(String name, long rank, Dispatcher.Plugin plugin) {
  }

  private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();`, nil, `
  /** Adds a plugin; IllegalStateException when the name is taken. Low ranks get events first. */
  public void register(String name, long rank, Dispatcher.Plugin plugin) {
    if (entries.putIfAbsent(name, new Entry(name, rank, plugin)) != null) {
      throw new IllegalStateException("there is a plugin called " + name);
    }
  }`, `
  /** All plugins in the order of their ranks, equal ranks by name. */
  public List<Dispatcher.Plugin> ordered() {
    var sorted = new ArrayList<>(entries.values());
    sorted.sort((a, b) -> a.rank() == b.rank() ? a.name().compareTo(b.name()) : Long.compare(a.rank(), b.rank()));
    var plugins = new ArrayList<Dispatcher.Plugin>();
    for (var entry : sorted) {
      plugins.add(entry.plugin());
    }
    return plugins;
  }`, `
  /** Takes a plugin out; false when there was none of that name. */
  public boolean unregister(String name) {
    return entries.remove(name) != null;
  }`)
}

// limits counts what senders send.
func (r *relay) limits() string {
	return r.body("/** How much each sender may send in a minute. */\npublic final class Limits", `
  private static final long MINUTE_MILLIS = 60_000L;
  private static final int SENDERS = 10_000;

  private record Minute(long number, AtomicInteger count) {
  }

  private final ConcurrentMap<String, Minute> minutes = new ConcurrentHashMap<>();
  private final Map<String, Integer> perSender;
  private final int usual;`, []string{`
  public Limits(Map<String, Integer> perSender, int usual) {
    this.perSender = Map.copyOf(perSender);
    this.usual = usual;
  }`}, `
  /** Counts one event of a sender; false when the minute's allowance is used up. */
  public boolean spend(String sender, long nowMillis) {
    int allowance = perSender.getOrDefault(sender, usual);
    long number = nowMillis / MINUTE_MILLIS;
    if (minutes.size() > SENDERS) {
      minutes.values().removeIf(minute -> minute.number() < number);
    }
    var minute = minutes.compute(sender, (s, old) -> old == null || old.number() != number ? new Minute(number, new AtomicInteger()) : old);
    return minute.count().incrementAndGet() <= allowance;
  }`, `
  /** What part of the allowance is used, 1 for all of it. */
  public double usedShare(String sender) {
    var minute = minutes.get(sender);
    int allowance = perSender.getOrDefault(sender, usual);
    return minute == null || allowance == 0 ? 0 : (double) minute.count().get() / allowance;
  }`, `
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
  }`)
}
