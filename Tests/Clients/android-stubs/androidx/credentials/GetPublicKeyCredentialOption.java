package androidx.credentials;

public final class GetPublicKeyCredentialOption extends CredentialOption {
    private final String requestJson;

    public GetPublicKeyCredentialOption(String requestJson) { this.requestJson = requestJson; }
    public String getRequestJson() { return requestJson; }
}
