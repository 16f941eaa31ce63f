/** Writes _table_ to files that spreadsheets read. */
public final class _Type_Export {
    private final Path directory;

    public _Type_Export(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    //: .shuffled

    /** Writes the records in the order given and says where. An older export of that name stays until the new one is whole. */
    public Path write(String name, List<_Type_> records) throws IOException {
        Path target = directory.resolve(name + ".csv").normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("not below the directory: " + name);
        }
        Path partial = Files.createTempFile(directory, "_key_", ".part");
        try (BufferedWriter out = Files.newBufferedWriter(partial)) {
            out.write("id,owner,_columns_\n");
            for (_Type_ _var_ : records) {
                out.write(line(_var_));
                out.newLine();
            }
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
        return target;
    }

    private static String line(_Type_ _var_) {
        return String.join(",", String.valueOf(_var_.id()), cell(_var_.owner())
            <%- range .fields %>
            <%- if eq .kind "text" "email" "state" %>, cell(_var_._field_())
            <%- else if eq .kind "tags" %>, cell(String.join(" ", _var_._field_()))
            <%- else %>, String.valueOf(_var_._field_())
            <%- end %>
            <%- end %>);
    }

    /** Quotes a text; one that a spreadsheet would run as a formula gets an apostrophe in front. */
    private static String cell(String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        String safe = "=+-@".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
