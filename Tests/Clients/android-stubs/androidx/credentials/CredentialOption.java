package androidx.credentials;

public abstract class CredentialOption {}
