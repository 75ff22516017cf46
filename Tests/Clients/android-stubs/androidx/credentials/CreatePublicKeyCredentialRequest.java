package androidx.credentials;

public final class CreatePublicKeyCredentialRequest extends CreateCredentialRequest {
    private final String requestJson;

    public CreatePublicKeyCredentialRequest(String requestJson) { this.requestJson = requestJson; }
    public String getRequestJson() { return requestJson; }
}
