package androidx.credentials.exceptions;

public class GetCredentialException extends Exception {
    private final String type;

    public GetCredentialException() { this(""); }
    public GetCredentialException(String type) { this.type = type; }
    public String getType() { return type; }
}
