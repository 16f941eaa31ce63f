/** The sheet of _labels_ that is printed for approval. */
public final class _Type_Sheet {
    private final Sums sums;

    public _Type_Sheet(Sums sums) {
        this.sums = sums;
    }

    //: .shuffled

    //: if call .coin
    /** The sheet with one line for each name. */
    public String print(String title) {
        StringBuilder page = new StringBuilder(Markup.head(title));
        page.append("<h1>").append(Markup.escape(title)).append("</h1>\n<table>\n");
        for (String name : sums.names()) {
            page.append("<tr><td>").append(Markup.escape(name)).append("</td>");
            page.append("<td>").append(Markup.money(sums.require(name).cents())).append("</td></tr>\n");
        }
        return page.append("</table></body></html>\n").toString();
    }

    //: else
    /** All sums as an HTML list under a title. */
    public String print(String title) {
        StringBuilder page = new StringBuilder(Markup.head(title));
        List<String> names = sums.names();
        page.append("<ul title=\"").append(Markup.escape(title)).append("\">\n");
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            page.append("<li>" + Markup.escape(name) + ": ");
            page.append(Markup.money(sums.require(name).cents())).append("</li>\n");
        }
        return page.append("</ul></body></html>\n").toString();
    }

    //: end

    /** Writes the sheet to a file; an older one stays until the new one is whole. */
    public void write(Path file, String title) throws IOException {
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "_keys_", ".html");
        try {
            Files.writeString(fresh, print(title));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
    }

    //: if call .chance 60
    /** The names whose sum is above a floor in cents. */
    public List<String> above(long floor) {
        List<String> chosen = new ArrayList<>();
        for (String name : sums.names()) {
            if (sums.require(name).cents() > floor) {
                chosen.add(name);
            }
        }
        return chosen;
    }
    //: end
}
