package androidx.credentials;

public final class GetRestoreCredentialOption extends CredentialOption {
    private final String requestJson;

    public GetRestoreCredentialOption(String requestJson) { this.requestJson = requestJson; }
    public String getRequestJson() { return requestJson; }
}
