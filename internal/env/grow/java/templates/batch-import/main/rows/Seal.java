/** Checks that a delivered file comes from the one who knows the key. */
public final class Seal {
    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    public Seal(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }

    //: .shuffled

    /** Whether the seal next to a file is the right one. */
    public boolean holds(Path file, byte[] seal) throws IOException {
        byte[] wanted = compute(Files.readAllBytes(file));
        return MessageDigest.isEqual(wanted, seal);
    }

    /** A number for a receipt that cannot be guessed. */
    public String receipt() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private byte[] compute(byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot compute a seal", e);
        }
    }
}
