package android.os;

public class Bundle {
    private final java.util.Map<String, Object> values = new java.util.HashMap<>();

    public void put(String name, Object value) { values.put(name, value); }
    public void putBinder(String name, IBinder value) { values.put(name, value); }
    public void putAll(Bundle other) { values.putAll(other.values); }
    public boolean containsKey(String name) { return values.containsKey(name); }
    public Object get(String name) { return values.get(name); }
    public String getString(String name) { return (String) values.get(name); }
    @SuppressWarnings("unchecked")
    public <T extends Parcelable> T getParcelable(String name) { return (T) values.get(name); }
}
