/** The folder that files are delivered to, and the one they move to afterwards. */
public final class Folder {
    private final Path inbox;
    private final Path done;

    public Folder(Path base) {
        this.inbox = base.resolve("inbox").toAbsolutePath().normalize();
        this.done = base.resolve("done").toAbsolutePath().normalize();
    }

    //: .shuffled

    //: if call .coin
    /** The delivered file of that name. Throws IOException for a name that leads out of the inbox. */
    public Path delivered(String name) throws IOException {
        Path file = inbox.resolve(name).normalize();
        if (!file.startsWith(inbox)) {
            throw new IOException("outside of the inbox: " + name);
        }
        return file;
    }

    //: else
    /** Where a delivered file lies; a name that leads elsewhere is refused with an IOException. */
    public Path delivered(String name) throws IOException {
        Path found = inbox.resolve(name).toAbsolutePath().normalize();
        if (!found.startsWith(inbox) || Files.isDirectory(found)) {
            throw new IOException("no delivered file: " + name);
        }
        return found;
    }

    //: end

    /** The delivered files in alphabetical order. */
    public List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(inbox)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Moves a file that is through out of the inbox. */
    public void finish(Path file) throws IOException {
        Files.createDirectories(done);
        Files.move(file, done.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
}
