package androidx.credentials;

public abstract class Credential {
    private final String type;
    private final android.os.Bundle data;

    protected Credential(String type, android.os.Bundle data) { this.type = type; this.data = data; }
    public final String getType() { return type; }
    public final android.os.Bundle getData() { return data; }
}
