package androidx.credentials;

public final class CreatePublicKeyCredentialResponse extends CreateCredentialResponse {
    private final String json;

    public CreatePublicKeyCredentialResponse(String registrationResponseJson) { json = registrationResponseJson; }
    public String getRegistrationResponseJson() { return json; }
}
