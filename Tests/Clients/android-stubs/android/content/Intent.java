package android.content;

public class Intent implements android.os.Parcelable {
    public static final String ACTION_VIEW = "android.intent.action.VIEW";
    public static final String ACTION_USER_UNLOCKED = "android.intent.action.USER_UNLOCKED";
    private final String action;
    private final android.net.Uri data;
    private final android.os.Bundle extras = new android.os.Bundle();

    public Intent(String action) { this(action, null); }
    public Intent(String action, android.net.Uri data) { this.action = action; this.data = data; }
    public String getAction() { return action; }
    public android.net.Uri getData() { return data; }
    public android.os.Bundle getExtras() { return extras; }
    public String getStringExtra(String name) { return extras.getString(name); }
    public Intent putExtras(android.os.Bundle more) { extras.putAll(more); return this; }
    public Intent putExtra(String name, Object value) { extras.put(name, value); return this; }
}
