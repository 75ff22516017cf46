package androidx.credentials;

import android.content.Context;
import android.os.CancellationSignal;
import androidx.credentials.exceptions.ClearCredentialException;
import androidx.credentials.exceptions.CreateCredentialException;
import androidx.credentials.exceptions.GetCredentialException;
import androidx.credentials.exceptions.publickeycredential.SignalCredentialStateException;
import java.util.concurrent.Executor;

public interface CredentialManager {
    /** The manager that {@link #create} returns. */
    java.util.concurrent.atomic.AtomicReference<CredentialManager> next = new java.util.concurrent.atomic.AtomicReference<>();

    static CredentialManager create(Context context) { return next.get(); }

    void getCredentialAsync(
        Context context, GetCredentialRequest request, CancellationSignal signal, Executor executor,
        CredentialManagerCallback<GetCredentialResponse, GetCredentialException> callback);

    default void createCredentialAsync(
        Context context, CreateCredentialRequest request, CancellationSignal signal, Executor executor,
        CredentialManagerCallback<CreateCredentialResponse, CreateCredentialException> callback) {}

    default void clearCredentialStateAsync(
        ClearCredentialStateRequest request, CancellationSignal signal, Executor executor,
        CredentialManagerCallback<Void, ClearCredentialException> callback) {}

    default void signalCredentialStateAsync(
        SignalCredentialStateRequest request, Executor executor,
        CredentialManagerCallback<SignalCredentialStateResponse, SignalCredentialStateException> callback) {}
}
