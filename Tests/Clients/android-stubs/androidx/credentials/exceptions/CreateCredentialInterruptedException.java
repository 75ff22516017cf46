package androidx.credentials.exceptions;

public final class CreateCredentialInterruptedException extends CreateCredentialException {
    public CreateCredentialInterruptedException() { super(""); }
}
