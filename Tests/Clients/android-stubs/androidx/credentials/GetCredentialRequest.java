package androidx.credentials;

public final class GetCredentialRequest {
    public CredentialOption option;

    public static final class Builder {
        private final GetCredentialRequest request = new GetCredentialRequest();

        public Builder addCredentialOption(CredentialOption option) { request.option = option; return this; }
        public GetCredentialRequest build() { return request; }
    }
}
