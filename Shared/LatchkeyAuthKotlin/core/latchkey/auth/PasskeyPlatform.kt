package latchkey.auth

/** The kind of a key that the device keeps for a user. */
public enum class PasskeyKind(internal val word: String) {
    /** A passkey, which the user confirms in the system's sheet. */
    PASSKEY("passkey"),

    /** A key that Android moves to the user's next phone and uses without the user's input. It never raises a session's level. */
    RESTORE("restore"),
}

/**
 * The system's part of passkeys. `CredentialManagerPasskeys` is that of Android.
 *
 * Options and results are the JSON that WebAuthn Level 3 defines (sections 5.1.8 to 5.1.10): pass them on as they are. A function
 * throws [AuthException] with [AuthError.Cancelled] if the user has closed the sheet, and with [AuthError.NoPasskey] or
 * [AuthError.PasskeyExists] where that is the reason. The library calls them on a thread of its own.
 */
public interface PasskeyPlatform {
    /** Makes a key: shows the sheet, if it is a passkey. */
    public suspend fun create(options: String, kind: PasskeyKind): String

    /** Signs a challenge: shows the sheet, if it is for a passkey. */
    public suspend fun get(options: String, kind: PasskeyKind): String

    /** Deletes the restore key from the device and its backup, if there is one. */
    public suspend fun clearRestoreKey()

    /** Tells the system which passkeys the server still accepts: the JSON of `signalAllAcceptedCredentials`. It may do nothing. */
    public suspend fun signalAccepted(accepted: String)
}
