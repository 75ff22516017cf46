package androidx.credentials;

public class CustomCredential extends Credential {
    public CustomCredential(String type, android.os.Bundle data) { super(type, data); }
}
