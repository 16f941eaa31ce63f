/** Signs what a user may carry around, and checks it when it comes back. */
public final class Tokens {
    //: call .choose "bytes" "16" "18" "24"
    private static final String ALGORITHM = "HmacSHA256";
    private static final int NONCE_BYTES = _bytes_;

    private final byte[] key;
    private final SecureRandom random = new SecureRandom();
    private final Clock clock;

    public Tokens(byte[] key, Clock clock) {
        if (key.length < 32) {
            throw new IllegalArgumentException("the key needs 32 bytes");
        }
        this.key = key.clone();
        this.clock = clock;
    }

    //: .shuffled

    /** A token that is good for a user until the given second. User names hold no dots. */
    public String issue(String user, long expiresAtSeconds) {
        String payload = user + "." + expiresAtSeconds + "." + nonce();
        return payload + "." + sign(payload);
    }

    /** The user that a token stands for; empty when it was tampered with or is too old. */
    public Optional<String> verify(String token) {
        if (token == null || token.isBlank()) {
            return Optional.empty();
        }
        int end = token.lastIndexOf('.');
        if (end < 0) {
            return Optional.empty();
        }
        String payload = token.substring(0, end);
        byte[] given = token.substring(end + 1).getBytes(StandardCharsets.UTF_8);
        byte[] expected = sign(payload).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(given, expected)) {
            return Optional.empty();
        }
        String[] parts = payload.split("\\.");
        if (parts.length != 3 || Long.parseLong(parts[1]) <= clock.instant().getEpochSecond()) {
            return Optional.empty();
        }
        return Optional.of(parts[0]);
    }

    /** A code for an invitation, which nobody may guess. */
    public String invitation() {
        return nonce();
    }

    private String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private String sign(String payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign", e);
        }
    }
}
