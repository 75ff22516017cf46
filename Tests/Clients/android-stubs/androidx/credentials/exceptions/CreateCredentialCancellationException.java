package androidx.credentials.exceptions;

public final class CreateCredentialCancellationException extends CreateCredentialException {
    public CreateCredentialCancellationException() { super(""); }
}
