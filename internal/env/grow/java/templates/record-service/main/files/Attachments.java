/** Files that belong to records, all below one directory. */
public final class Attachments {
    private static final long MAX_BYTES = 10L << 20;

    private final Path root;

    public Attachments(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    //: .shuffled

    //: if call .coin
    /** Opens an attachment for reading; the caller closes it. */
    public InputStream open(String name) throws IOException {
        return Files.newInputStream(locate(name));
    }

    //: else
    /** All of an attachment. Refuses what is larger than MAX_BYTES. */
    public byte[] load(String name) throws IOException {
        Path file = locate(name);
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("attachment too large: " + name);
        }
        return Files.readAllBytes(file);
    }

    //: end

    /** Keeps an attachment, in place of an older one of that name. */
    public void save(String name, InputStream in) throws IOException {
        Path file = locate(name);
        Files.createDirectories(file.getParent());
        byte[] content = in.readNBytes((int) MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
            throw new IOException("attachment too large: " + name);
        }
        Files.write(file, content);
    }

    private Path locate(String name) throws IOException {
        Path file = root.resolve(name).normalize();
        if (!file.startsWith(root) || file.equals(root)) {
            throw new IOException("no such attachment: " + name);
        }
        return file;
    }

    /** A name for caches that changes when the content does. */
    public String etag(String name) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] sum = digest.digest(Files.readAllBytes(locate(name)));
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no digest", e);
        }
    }
}
