package androidx.credentials.exceptions;

public class GetCredentialException extends Exception {}
