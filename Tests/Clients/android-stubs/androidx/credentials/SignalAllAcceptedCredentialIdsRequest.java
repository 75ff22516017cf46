package androidx.credentials;

public final class SignalAllAcceptedCredentialIdsRequest extends SignalCredentialStateRequest {
    private final String requestJson;

    public SignalAllAcceptedCredentialIdsRequest(String requestJson, String origin) { this.requestJson = requestJson; }
    public String getRequestJson() { return requestJson; }
}
