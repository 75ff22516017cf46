package com.google.android.libraries.identity.googleid;

public final class GoogleIdTokenCredential {
    /** No constant, which the compiler would put into the library. */
    public static final String TYPE_GOOGLE_ID_TOKEN_CREDENTIAL = String.valueOf("TYPE_GOOGLE_ID_TOKEN_CREDENTIAL");
    private final String idToken;

    private GoogleIdTokenCredential(String idToken) { this.idToken = idToken; }
    public static GoogleIdTokenCredential createFrom(android.os.Bundle data) {
        return new GoogleIdTokenCredential(data.getString("token"));
    }
    public String getIdToken() { return idToken; }
}
