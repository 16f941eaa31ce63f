/** Derives the relay's keys from a passphrase. */
public final class Vault {
  private static final int ROUNDS = 300_000;
  private static final int SALT_LENGTH = 16;

  private final SecureRandom chance = new SecureRandom();

  //: .shuffled

  /** A fresh salt for a new key. */
  public byte[] newSalt() {
    var salt = new byte[SALT_LENGTH];
    chance.nextBytes(salt);
    return salt;
  }

  /** The key that belongs to a passphrase and a salt. */
  public SecretKeySpec keyFor(char[] passphrase, byte[] salt) throws GeneralSecurityException {
    if (salt.length < SALT_LENGTH) {
      throw new InvalidKeySpecException("salt too short");
    }
    var factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512");
    var secret = factory.generateSecret(new PBEKeySpec(passphrase, salt, ROUNDS, 256));
    return new SecretKeySpec(secret.getEncoded(), "AES");
  }

  /** Lower-case hexadecimal, two digits a byte. */
  public static String hex(byte[] raw) {
    var text = new StringBuilder(raw.length * 2);
    for (byte b : raw) {
      text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.toString();
  }
}
