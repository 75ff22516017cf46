package androidx.credentials;

public interface CredentialManager {
    /** The manager that {@link #create} returns. */
    java.util.concurrent.atomic.AtomicReference<CredentialManager> next = new java.util.concurrent.atomic.AtomicReference<>();

    static CredentialManager create(android.content.Context context) { return next.get(); }

    void getCredentialAsync(
        android.content.Context context, GetCredentialRequest request, android.os.CancellationSignal signal,
        java.util.concurrent.Executor executor,
        CredentialManagerCallback<GetCredentialResponse, androidx.credentials.exceptions.GetCredentialException> callback);
}
