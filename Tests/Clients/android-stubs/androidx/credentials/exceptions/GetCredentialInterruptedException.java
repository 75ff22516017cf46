package androidx.credentials.exceptions;

public final class GetCredentialInterruptedException extends GetCredentialException {}
