/** One request: who asks, for what, with which parameters. The user was authenticated before. */
public record Request(String user, String method, String path, Map<String, String> parameters) {
    public Request {
        parameters = Map.copyOf(parameters);
    }

    /** A parameter that must be there. Throws IllegalArgumentException without it. */
    public String required(String name) {
        String value = parameters.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("parameter " + name + " is missing");
        }
        return value;
    }

    /** A parameter that is a number, or the fallback when it is absent. */
    public int number(String name, int fallback) {
        String value = parameters.get(name);
        if (value == null || value.isEmpty()) {
            return fallback;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("parameter " + name + " is no number", e);
        }
    }

    /** The number at the end of the path. */
    public long id() {
        String last = path.substring(path.lastIndexOf('/') + 1);
        try {
            return Long.parseLong(last);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no number in " + path, e);
        }
    }
}
