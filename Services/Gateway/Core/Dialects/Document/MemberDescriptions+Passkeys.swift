extension MemberDescriptions {
    /// The members of passkeys and second factors.
    static let ofPasskeys = """
        Problem.mfaToken | With `second_factor_required`: completes the sign-in with the second factor
        mfaToken | The token of the response `second_factor_required`
        totp | A code of the user's authenticator app
        recoveryCode | One of the user's recovery codes
        recoveryCodes | Ten codes, each for one use, which are shown only now
        RecoveryCodesReply.activeFrom | When one-time passwords are on, in Unix seconds; missing if they are on already
        TOTPReply.secret | The secret for people who type it
        TOTPReply.uri | The `otpauth` URI for a QR code
        TOTPCodeBody.code | The first code of the authenticator app
        SecondFactorBody.code | A code of the authenticator app
        SecondFactorReply.totp | Whether one-time passwords are on
        SecondFactorReply.activeFrom | When they are on, in Unix seconds; missing unless they wait
        SecondFactorReply.passkeys | The number of passkeys that can be used
        recoveryCodesLeft | The recovery codes that were not used
        required | Whether each sign-in with one factor asks for a second one
        resetAt | When support removes the second factor, in Unix seconds; missing if it does not
        challengeId | The sealed challenge of the options
        credential | The credential, as `PublicKeyCredential.toJSON()` returns it
        publicKey | For `parseRequestOptionsFromJSON()`, or for a new passkey `parseCreationOptionsFromJSON()`
        PasskeyOptionsReply.expiresAt | Unix seconds
        PasskeyOptionsBody.kind | `restore` for a restore key of Android; by default `passkey`
        PasskeyBody.name | The name in the user's list of passkeys
        PasskeyNameBody.name | The name in the user's list of passkeys
        PasskeySummary.id | The id by which the user renames or removes the passkey
        PasskeySummary.name | The name in the user's list of passkeys
        PasskeySummary.kind | `restore` for a restore key of Android
        PasskeySummary.lastUsedAt | The Unix seconds of the last sign-in; missing if there was none
        """
}
