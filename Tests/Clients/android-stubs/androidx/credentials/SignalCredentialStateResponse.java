package androidx.credentials;

public final class SignalCredentialStateResponse {}
