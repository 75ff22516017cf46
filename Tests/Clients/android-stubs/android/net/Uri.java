package android.net;

public class Uri {
    private final java.net.URI uri;

    private Uri(String text) { uri = java.net.URI.create(text); }
    public static Uri parse(String text) { return new Uri(text); }
    public String getScheme() { return uri.getScheme(); }
    @Override public String toString() { return uri.toString(); }
}
