package androidx.credentials.exceptions;

public final class NoCredentialException extends GetCredentialException {}
