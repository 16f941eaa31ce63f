/** Reads rows from an XML file: one element a row, its attributes the cells. */
public final class XmlSource {
    //: .shuffled

    //: if call .coin
    /** The rows of a file whose elements have that name. */
    public List<Row> read(Path file, String element) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Document document = parser().parse(in);
            NodeList found = document.getElementsByTagName(element);
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                rows.add(row(i + 1, (Element) found.item(i)));
            }
            return rows;
        } catch (SAXException e) {
            throw new IOException("not well-formed: " + file, e);
        }
    }

    //: else
    /** Reads the elements of that name, in the order of the file. */
    public List<Row> read(Path file, String element) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            NodeList found = parser().parse(in).getElementsByTagName(element);
            for (int i = 0; i < found.getLength(); i++) {
                rows.add(row(i + 1, (Element) found.item(i)));
            }
        } catch (SAXException e) {
            throw new IOException("broken file " + file, e);
        }
        return rows;
    }

    //: end

    private static DocumentBuilder parser() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setXIncludeAware(false);
            return factory.newDocumentBuilder();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("no parser", e);
        }
    }

    private static Row row(int number, Element element) {
        Map<String, String> cells = new HashMap<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            cells.put(element.getAttributes().item(i).getNodeName(), element.getAttributes().item(i).getNodeValue());
        }
        return new Row(number, cells);
    }
}
