package androidx.credentials;

public final class CreateRestoreCredentialRequest extends CreateCredentialRequest {
    private final String requestJson;
    private final boolean isCloudBackupEnabled;

    public CreateRestoreCredentialRequest(String requestJson, boolean isCloudBackupEnabled) {
        this.requestJson = requestJson;
        this.isCloudBackupEnabled = isCloudBackupEnabled;
    }
    public String getRequestJson() { return requestJson; }
    public boolean isCloudBackupEnabled() { return isCloudBackupEnabled; }
}
