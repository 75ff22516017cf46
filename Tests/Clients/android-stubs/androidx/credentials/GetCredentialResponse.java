package androidx.credentials;

public final class GetCredentialResponse {
    private final Credential credential;

    public GetCredentialResponse(Credential credential) { this.credential = credential; }
    public Credential getCredential() { return credential; }
}
