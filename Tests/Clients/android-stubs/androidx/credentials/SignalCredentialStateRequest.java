package androidx.credentials;

public abstract class SignalCredentialStateRequest {}
