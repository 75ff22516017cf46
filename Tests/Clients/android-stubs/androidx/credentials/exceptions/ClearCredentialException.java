package androidx.credentials.exceptions;

public class ClearCredentialException extends Exception {}
