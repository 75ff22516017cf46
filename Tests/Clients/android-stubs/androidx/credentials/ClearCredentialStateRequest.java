package androidx.credentials;

public final class ClearCredentialStateRequest {
    public static final String TYPE_CLEAR_RESTORE_CREDENTIAL = "androidx.credentials.TYPE_CLEAR_RESTORE_CREDENTIAL";
    private final String requestType;

    public ClearCredentialStateRequest(String requestType) { this.requestType = requestType; }
    public String getRequestType() { return requestType; }
}
