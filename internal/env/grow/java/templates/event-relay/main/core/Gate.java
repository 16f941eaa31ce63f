/** Lets events in that carry the signature of a known sender. */
public final class Gate {
  private static final Logger LOG = Logger.getLogger("relay.gate");

  private final Map<String, SecretKeySpec> senders = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> kindsOf = new ConcurrentHashMap<>();

  //: .shuffled

  /** Says which kinds of event a sender may send. */
  public void allow(String sender, Set<String> kinds) {
    kindsOf.put(sender, Set.copyOf(kinds));
  }

  /** Whether a sender may send events of all these kinds. */
  public boolean maySend(String sender, Set<String> kinds) {
    var allowed = kindsOf.getOrDefault(sender, Set.of());
    return allowed.containsAll(kinds);
  }

  public void admit(String sender, byte[] secret) {
    senders.put(sender, new SecretKeySpec(secret, "HmacSHA512"));
  }

  //: if call .coin
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
  }

  //: else
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
  }

  //: end

  /** Those senders that may write now, in alphabetical order. */
  public List<String> admitted() {
    var names = new ArrayList<>(senders.keySet());
    names.sort(Comparator.naturalOrder());
    return names;
  }
}
