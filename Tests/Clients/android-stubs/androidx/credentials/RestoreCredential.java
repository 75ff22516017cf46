package androidx.credentials;

public final class RestoreCredential extends Credential {
    private final String json;

    public RestoreCredential(String authenticationResponseJson) {
        super("androidx.credentials.TYPE_RESTORE_CREDENTIAL", null);
        json = authenticationResponseJson;
    }
    public String getAuthenticationResponseJson() { return json; }
}
