package androidx.credentials.exceptions.publickeycredential;

public class SignalCredentialStateException extends Exception {}
