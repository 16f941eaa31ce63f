/** Who may do what. Safe for use by many threads. */
public final class Access {
    public static final String ROLE = "_role_";

    private final Map<String, Set<String>> roles = new ConcurrentHashMap<>();
    private final Set<String> suspended = ConcurrentHashMap.newKeySet();

    //: .shuffled

    /** Gives a user a role. */
    public void grant(String user, String role) {
        roles.computeIfAbsent(user, u -> ConcurrentHashMap.newKeySet()).add(role);
    }

    /** Takes all rights from a user until restore is called. */
    public void suspend(String user) {
        suspended.add(user);
    }
    //: .joined
    public void restore(String user) {
        suspended.remove(user);
    }

    /** Whether a user has a role. */
    public boolean hasRole(String user, String role) {
        if (user == null || user.isEmpty()) {
            return false;
        }
        Set<String> given = roles.get(user);
        return given != null && given.contains(role);
    }

    //: if call .coin
    /** Whether a user may change what belongs to the owner. */
    public boolean canEdit(String user, String owner) {
        return !suspended.contains(user) && (owner.equals(user) || hasRole(user, ROLE));
    }

    //: else
    /** Whether a user may change the owner's records. */
    public boolean canEdit(String user, String owner) {
        boolean entitled = owner.equals(user) || hasRole(user, ROLE);
        return entitled && !suspended.contains(user);
    }

    //: end

    /** Whether a user may see everybody's records. */
    public boolean canReadAll(String user) {
        return hasRole(user, ROLE) && !suspended.contains(user);
    }
}
