package android.content;

public class IntentFilter {
    public final String action;

    public IntentFilter(String action) { this.action = action; }
}
