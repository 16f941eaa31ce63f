/** Keeps _table_ that were read lately. */
public final class _Type_Cache {
    private final TtlCache<_Type_> cache;
    private final _Type_Store store;
    private final Duration ttl;

    public _Type_Cache(TtlCache<_Type_> cache, _Type_Store store, Duration ttl) {
        this.cache = cache;
        this.store = store;
        this.ttl = ttl;
    }

    //: .shuffled

    //: if call .coin
    /** A record, from the cache where it is fresh. Throws NoSuchElementException when there is none. */
    public _Type_ get(long id) {
        String key = key(id);
        Optional<_Type_> cached = cache.get(key);
        if (cached.isPresent()) {
            return cached.get();
        }
        _Type_ _var_ = store.require(id);
        cache.put(key, _var_, ttl.toMillis());
        return _var_;
    }

    //: else
    /** A record, read again once it is older than the cache allows. */
    public _Type_ get(long id) {
        return cache.get(key(id)).orElseGet(() -> load(id));
    }
    //: .joined
    private _Type_ load(long id) {
        _Type_ _var_ = store.require(id);
        cache.put(key(id), _var_, ttl.toMillis());
        return _var_;
    }

    //: end

    /** Writes another _text_ and forgets the old record; false when there is no such record. */
    public boolean rename(long id, String _text_) {
        boolean there = store.rename(id, _text_);
        cache.remove(key(id));
        return there;
    }

    private static String key(long id) {
        return "_key_:" + id;
    }
}
