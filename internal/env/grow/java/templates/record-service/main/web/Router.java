/** Finds the handler of a path by its first part. Handlers may be added while requests are answered. */
public final class Router {
    private static final Logger LOG = Logger.getLogger(Router.class.getName());

    private final Map<String, Function<Request, Response>> handlers = new ConcurrentHashMap<>();

    //: .shuffled

    /** Registers a handler. Throws IllegalStateException when the part is taken. */
    public void add(String part, Function<Request, Response> handler) {
        if (handlers.putIfAbsent(part, handler) != null) {
            throw new IllegalStateException("two handlers for " + part);
        }
    }

    /** Answers a request; what handlers throw becomes a status. */
    public Response route(Request request) {
        Function<Request, Response> handler = handlers.get(first(request.path()));
        if (handler == null) {
            return Response.plain(404, "nothing here");
        }
        try {
            return handler.apply(request);
        } catch (IllegalArgumentException e) {
            return Response.plain(400, e.getMessage());
        } catch (SecurityException e) {
            return Response.plain(403, "not allowed");
        } catch (NoSuchElementException e) {
            return Response.plain(404, "no such record");
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "request failed", e);
            return Response.plain(500, "something went wrong");
        }
    }

    private static String first(String path) {
        String[] parts = path.split("/");
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isEmpty()) {
                return parts[i];
            }
        }
        return "";
    }
}
