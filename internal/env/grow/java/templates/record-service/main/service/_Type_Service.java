//: call .deed
//: call .choose "limit" "50" "100" "200" "250"
//: $list := call .coin
//: $rename := call .coin
//: if call .coin
/** What users may do with _table_. */
//: else
/** The rules over _table_; knows nothing of requests and tables. */
//: end
public final class _Type_Service {
    private static final int MAX_ROWS = _limit_;
    private static final int MAX_RECENT = 1_000;

    private final _Type_Store store;
    private final Access access;
    private final Map<String, Instant> lastSeen = new ConcurrentHashMap<>();
    private int served;

    public _Type_Service(_Type_Store store, Access access) {
        this.store = store;
        this.access = access;
    }

    //: .shuffled

    //: if $list
    /** A user's own records, no more than MAX_ROWS of them. */
    public List<_Type_> list(String user, int limit) {
        int rows = Math.min(Math.max(limit, 1), MAX_ROWS);
        touch(user);
        return store.ofOwner(user, rows);
    }

    //: else
    /** The newest records of a user; asks for MAX_ROWS at most. */
    public List<_Type_> list(String user, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be positive");
        }
        touch(user);
        return store.ofOwner(user, Math.min(limit, MAX_ROWS));
    }

    //: end

    //: if $rename
    /** Gives a record another _text_. Throws SecurityException when the user may not. */
    public void rename(String user, long id, String _text_) {
        if (_text_ == null || _text_.isBlank()) {
            throw new IllegalArgumentException("_text_ must not be empty");
        }
        String owner = store.require(id).owner();
        if (!access.canEdit(user, owner)) {
            throw new SecurityException(user + " may not edit _label_ " + id);
        }
        _text_ = _text_.strip();
        if (!store.rename(id, _text_)) {
            throw new NoSuchElementException("_label_ " + id + " is gone");
        }
    }

    //: else
    /** Changes the _text_ of a record that the user may edit. */
    public boolean rename(String user, long id, String _text_) {
        _Type_ _var_ = store.require(id);
        if (!access.canEdit(user, _var_.owner())) {
            throw new SecurityException("not allowed: _label_ " + id);
        }
        if (_text_ == null || _text_.isEmpty()) {
            return false;
        }
        _text_ = _text_.trim();
        return store.rename(id, _text_);
    }

    //: end

    /** Whether a user may _verb_ the record. */
    public boolean may_Verb_(String user, long id) {
        _Type_ _var_ = store.require(id);
        return _var_.belongsTo(user) || access.canEdit(user, _var_.owner());
    }

    /** When a user last asked, if that is still known. */
    public Optional<Instant> lastSeen(String user) {
        return Optional.ofNullable(lastSeen.get(user));
    }

    /** How many lists were served since the start. */
    public synchronized int served() {
        return served;
    }

    private void touch(String user) {
        if (lastSeen.size() >= MAX_RECENT) {
            lastSeen.clear();
        }
        lastSeen.put(user, Instant.now());
        countServed();
    }

    private synchronized void countServed() {
        served++;
    }

    //: with .first.cents
    /** Sum of _field_ over some records, in cents. Throws ArithmeticException when it does not fit. */
    public long total(List<_Type_> records) {
        long sum = 0;
        for (int i = 0; i < records.size(); i++) {
            sum = Math.addExact(sum, records.get(i)._field_());
        }
        return sum;
    }

    //: end

    //: with .first.state
    /** Those of a user's newest records that stand at one _field_. */
    public List<_Type_> in_Field_(String user, String _field_) {
        if (!_Type_._Choices_.contains(_field_)) {
            throw new IllegalArgumentException("no such _field_: " + _field_);
        }
        List<_Type_> result = new ArrayList<>();
        for (_Type_ _var_ : list(user, MAX_ROWS)) {
            if (_var_._field_().equals(_field_)) {
                result.add(_var_);
            }
        }
        return result;
    }
    //: end
}
