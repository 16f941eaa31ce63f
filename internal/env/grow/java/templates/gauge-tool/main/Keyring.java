// Keys for files that travel: one for each station, out of its passphrase.
public class Keyring {
	//: call .choose "cycles" "250_000" "400_000" "600_000"
	private static final int CYCLES = _cycles_;

	private final Map<String, byte[]> salts = new ConcurrentHashMap<>();
	private final Map<String, Set<String>> readable = new ConcurrentHashMap<>();

	//: .shuffled

	public void open(String name, Set<String> series) {
		readable.put(name, Set.copyOf(series));
	}

	// mayRead says whether a station may read every one of the series.
	public boolean mayRead(String name, List<String> series) {
		Set<String> open = readable.getOrDefault(name, Set.of());
		return series.stream().allMatch(open::contains);
	}

	public void station(String name, byte[] salt) {
		salts.put(name, salt.clone());
	}

	byte[] derive(String name, char[] passphrase) throws GeneralSecurityException {
		byte[] salt = salts.get(name);
		if (salt == null) {
			throw new GeneralSecurityException("no such station: " + name);
		}
		PBEKeySpec spec = new PBEKeySpec(passphrase, salt, CYCLES, 512);
		return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
	}

	// isFrom says whether a station wrote that content; a station that is not known wrote nothing.
	public boolean isFrom(String name, char[] passphrase, byte[] content, byte[] mark) {
		try {
			Mac mac = Mac.getInstance("HmacSHA384");
			mac.init(new SecretKeySpec(derive(name, passphrase), "HmacSHA384"));
			return MessageDigest.isEqual(mark, mac.doFinal(content));
		} catch (GeneralSecurityException unusable) {
			return false;
		}
	}
}
