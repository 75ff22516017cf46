package androidx.credentials.exceptions.restorecredential;

public final class E2eeUnavailableException extends androidx.credentials.exceptions.CreateCredentialException {
    public E2eeUnavailableException() { super(""); }
}
