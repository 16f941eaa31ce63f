/** Answers requests below /_key_. */
public final class _Type_Handler {
    private final _Type_Store store;
    private final _Type_Service service;
    private final Access access;
    private final AuditLog audit;

    public _Type_Handler(_Type_Store store, _Type_Service service, Access access, AuditLog audit) {
        this.store = store;
        this.service = service;
        this.access = access;
        this.audit = audit;
    }

    //: .shuffled

    public Response handle(Request request) {
        return switch (request.method()) {
            case "GET" -> request.path().endsWith("/list") ? list(request) : show(request);
            case "POST" -> rename(request);
            case "DELETE" -> remove(request);
            default -> Response.plain(405, "no such method");
        };
    }

    private Response list(Request request) {
        int limit = request.number("limit", 20);
        return Response.html(_Type_Page.list(service.list(request.user(), limit)));
    }

    //: if call .coin
    private Response show(Request request) {
        _Type_ _var_ = store.require(request.id());
        if (!_var_.belongsTo(request.user()) && !access.canReadAll(request.user())) {
            throw new SecurityException("not the owner's request");
        }
        return Response.html(_Type_Page.show(_var_));
    }

    //: else
    private Response show(Request request) {
        _Type_ _var_ = store.require(request.id());
        boolean own = _var_.owner().equals(request.user());
        if (!own && !access.canReadAll(request.user())) {
            return Response.plain(403, "not yours");
        }
        return Response.html(_Type_Page.show(_var_));
    }

    //: end

    private Response rename(Request request) {
        String _text_ = request.required("_column_");
        audit.note(request.user(), "rename _label_", String.valueOf(request.id()));
        service.rename(request.user(), request.id(), _text_);
        return Response.plain(200, "renamed");
    }

    private Response remove(Request request) {
        String owner = store.require(request.id()).owner();
        if (!access.canEdit(request.user(), owner)) {
            throw new SecurityException("may not remove");
        }
        audit.note(request.user(), "remove _label_", String.valueOf(request.id()));
        try {
            store.removeAll(List.of(request.id()));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot remove _label_ " + request.id(), e);
        }
        return Response.plain(200, "removed");
    }
}
