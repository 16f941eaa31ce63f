/** Turns passwords into slow, salted hashes: salt and hash in hexadecimal, a colon between them. */
public final class Passwords {
    private static final int ITERATIONS = 210_000;
    private static final int KEY_BITS = 256;
    private static final int MIN_LENGTH = 12;

    private final SecureRandom random = new SecureRandom();

    //: .shuffled

    /** What is kept of a new password. */
    public String hash(char[] password) {
        if (password.length < MIN_LENGTH) {
            throw new IllegalArgumentException("the password is too short");
        }
        byte[] salt = new byte[16];
        random.nextBytes(salt);
        HexFormat hex = HexFormat.of();
        return hex.formatHex(salt) + ":" + hex.formatHex(derive(password, salt));
    }

    /** Whether a password is the one that was kept. */
    public boolean matches(char[] password, String kept) {
        int colon = kept.indexOf(':');
        if (colon < 0) {
            return false;
        }
        HexFormat hex = HexFormat.of();
        byte[] salt = hex.parseHex(kept.substring(0, colon));
        byte[] expected = hex.parseHex(kept.substring(colon + 1));
        return MessageDigest.isEqual(expected, derive(password, salt));
    }

    private static byte[] derive(char[] password, byte[] salt) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, ITERATIONS, KEY_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot derive a key", e);
        } finally {
            spec.clearPassword();
        }
    }
}
