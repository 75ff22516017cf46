package androidx.credentials.exceptions;

public class CreateCredentialException extends Exception {
    private final String type;

    public CreateCredentialException(String type) { this.type = type; }
    public String getType() { return type; }
}
