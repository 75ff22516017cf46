package com.google.android.libraries.identity.googleid;

public final class GetGoogleIdOption extends androidx.credentials.CredentialOption {
    public String nonce;
    public String serverClientId;
    public boolean isFiltered;

    public static final class Builder {
        private final GetGoogleIdOption option = new GetGoogleIdOption();

        public Builder setServerClientId(String id) { option.serverClientId = id; return this; }
        public Builder setNonce(String nonce) { option.nonce = nonce; return this; }
        public Builder setFilterByAuthorizedAccounts(boolean isFiltered) { option.isFiltered = isFiltered; return this; }
        public GetGoogleIdOption build() { return option; }
    }
}
