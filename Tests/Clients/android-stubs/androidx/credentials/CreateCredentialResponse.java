package androidx.credentials;

public abstract class CreateCredentialResponse {}
