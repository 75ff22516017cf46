package android.hardware.biometrics;

public class BiometricPrompt {
    /** Whether the user confirms the next dialog. */
    public static boolean confirms = true;

    public void authenticate(
            android.os.CancellationSignal signal, java.util.concurrent.Executor executor, AuthenticationCallback callback) {
        executor.execute(() -> {
            if (confirms) callback.onAuthenticationSucceeded(new AuthenticationResult());
            else callback.onAuthenticationError(10, "cancelled");
        });
    }

    public static class AuthenticationResult {}

    public abstract static class AuthenticationCallback {
        public void onAuthenticationSucceeded(AuthenticationResult result) {}
        public void onAuthenticationError(int code, CharSequence message) {}
    }

    public static class Builder {
        public Builder(android.content.Context context) {}
        public Builder setTitle(CharSequence title) { return this; }
        public Builder setNegativeButton(
                CharSequence text, java.util.concurrent.Executor executor,
                android.content.DialogInterface.OnClickListener listener) {
            return this;
        }
        public BiometricPrompt build() { return new BiometricPrompt(); }
    }
}
