package androidx.credentials;

public abstract class CreateCredentialRequest {}
