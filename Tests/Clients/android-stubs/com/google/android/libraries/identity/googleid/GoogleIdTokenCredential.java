package com.google.android.libraries.identity.googleid;

public final class GoogleIdTokenCredential {
    public static final String TYPE_GOOGLE_ID_TOKEN_CREDENTIAL = "com.google.TYPE_GOOGLE_ID_TOKEN_CREDENTIAL";
    private final String idToken;

    private GoogleIdTokenCredential(String idToken) { this.idToken = idToken; }
    public static GoogleIdTokenCredential createFrom(android.os.Bundle data) {
        return new GoogleIdTokenCredential(data.getString("token"));
    }
    public String getIdToken() { return idToken; }
}
