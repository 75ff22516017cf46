package androidx.credentials;

public final class CreateRestoreCredentialResponse extends CreateCredentialResponse {
    private final String responseJson;

    public CreateRestoreCredentialResponse(String responseJson) { this.responseJson = responseJson; }
    public String getResponseJson() { return responseJson; }
}
