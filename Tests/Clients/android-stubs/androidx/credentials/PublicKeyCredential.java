package androidx.credentials;

public final class PublicKeyCredential extends Credential {
    private final String json;

    public PublicKeyCredential(String authenticationResponseJson) {
        super("androidx.credentials.TYPE_PUBLIC_KEY_CREDENTIAL", null);
        json = authenticationResponseJson;
    }
    public String getAuthenticationResponseJson() { return json; }
}
