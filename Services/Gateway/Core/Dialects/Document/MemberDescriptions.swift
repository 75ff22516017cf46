/// The descriptions of members in the API documents, for those whose names do not say it all.
enum MemberDescriptions {
    /// Returns the description of a member, a sentence without its full stop.
    ///
    /// - Parameter place: the schema of the member, or the last segment of the path whose parameter it is.
    static func text(_ member: String, in place: String) -> String? {
        let place = place.hasPrefix("Refusal") ? "Problem" : place
        return texts["\(place).\(member)"] ?? texts[member]
    }

    /// By the name of a member everywhere, or of the member of one place.
    static let texts: [String: String] = {
        let rows = (table + "\n" + ofAdministration + "\n" + ofPasskeys).split(separator: "\n").map { row in
            let cells = row.split(separator: " | ").map(String.init)
            return (cells[0], cells[1])
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }()

    private static let table = """
        accessToken | The access token, a JWT; missing if a cookie has it
        access_token | The access token, a JWT
        access_token_expires_at | Unix seconds
        accessTokenExpiresAt | UTC without a zone, such as 2026-01-06T14:18:40
        refreshToken | The session's newest refresh token, which serves once; a cookie may have it instead
        refresh_token | The session's newest refresh token, which serves once; a cookie may have it instead
        refreshTokenExpiresAt | UTC without a zone, such as 2026-01-06T14:18:40
        expiresIn | The remaining lifetime of the access token, in seconds
        MailRequestReply.expiresIn | How long code and link are valid, in seconds
        LoginTokens.access | The same as accessToken
        LoginTokens.refresh | The same as refreshToken
        LoginTokens.token | The access token, a JWT
        Pair.access | The same as accessToken
        Pair.refresh | The same as refreshToken
        GremlinSession.token | The access token, a JWT; missing if a cookie has it
        GremlinSession.expiresAt | When the access token expires, such as 2026-01-06T14:18:40Z
        isNewUser | Whether this sign-in created the user
        is_new_user | Whether this sign-in created the user; missing after a refresh
        restored | Whether this sign-in cancelled a scheduled deletion; missing otherwise
        newDevice | Whether the user had signed in neither from this device nor from this network before; missing otherwise
        LogoutBody.scope | The sessions to revoke: that of the token, the user's others, or all
        phoneNumber | In E.164, or as people dial it in `countryCode`
        countryCode | The region of a phone number without its country, such as US (ISO 3166)
        phone | In E.164
        channel | A value of `codes.channels` in the discovery document
        locale | The language of the message or mail (RFC 5646)
        appHash | The hash of the Android app whose SMS Retriever reads the code
        otp | The code of the message
        MailVerifyBody.code | The code of the mail, with `email`
        OTPVerifyBody.code | The code of the message
        OwnEmailBody.code | The code of the mail
        OwnPhoneBody.code | The code of the message
        ReauthenticationBody.code | The code of `POST /auth/reauthenticate/request`; with `verifier`, the code that the browser brought
        OwnIdentityBody.code | In place of the token, the code that the browser brought to the app
        phoneToken | The phone token, as the SDK gave it to the app
        url | The provider's page, which the app opens in a browser
        ReauthenticationBody.channel | The channel of that request, if it had one
        ReauthenticationCodeBody.channel | `email`, or a channel to phones; by default `sms`, or `email` without a number
        provider | `apple`, or the name of a provider in the policy
        ReauthenticationReply.refresh | Whether the access token at hand is older than this: refresh once, then repeat the call
        MailVerifyBody.token | The token of the link, with `verifier`
        AccountLinkBody.token | The token of the link; absent with `code`
        AccountLinkBody.email | The email address that the mail was sent to; only with `code`
        AccountLinkBody.code | The code of the mail, in place of the link's token
        LinkBody.token | The token of the link
        confirm-address.token | The token of the link
        not-me.token | The token of the link
        not-me.secret | The secret that the page has
        AccountLinkBody.password | The password of the registration, or the new one
        DeletionBody.password | Needed from a user who has a password and did not show within the last five minutes who they are
        challenge | BASE64URL(SHA-256(verifier)) (RFC 7636)
        MailRequestBody.challenge | BASE64URL(SHA-256(verifier)) (RFC 7636); without it the mail has no link
        verifier | The secret whose hash is the challenge (RFC 7636)
        deviceName | The name of this device in the list of sessions
        newAccount | `true` begins a new account with the number, after `second_identity_required`
        movesAt | When the phone number changes, in Unix seconds
        PendingMergeSummary.movesAt | When the accounts are merged, in Unix seconds
        MergePendingReply.movesAt | When the accounts are merged, in Unix seconds, unless one of the users objects
        intoAnother | Whether this account becomes a part of the other one; otherwise it is the one that stays
        pendingMerge | A merge with another account that waits; missing if there is none
        lastDigits | The last two digits of the new number
        pendingPhone | A change of the number that support has begun; missing if there is none
        name | The name of a new user
        path.name | The name of the provider in the policy
        fullName | The name of a new user, or the JSON of Foundation's PersonNameComponents
        identityToken | The provider's token, as its SDK gave it to the app
        authorizationCode | Apple's code, with which Apple's tokens are revoked when the account is removed
        nonce | The nonce whose hash the app gave to the SDK
        PhoneTokenBody.token | The phone token, as the SDK gave it to the app
        OwnPhoneBody.token | The phone token, as the SDK gave it to the app
        SignInCodeBody.code | The code that the browser brought to the app
        redirect | The address of the app, one of `webRedirects`
        callback.state | The state that began the sign-in
        callback.code | The provider's code
        callback.id_token | Apple's identity token
        callback.user | Apple's JSON of the user's name
        callback.iss | The provider's issuer (RFC 9207)
        callback.error | The provider's error, such as access_denied
        delete.recipient | The phone number or email address of the account
        delete.code | The code that was sent
        User.id | The user's id; it never changes
        User.phoneNumber | In E.164, or null
        User.phone_number | In E.164
        User.email | The user's email address, if there is one
        User.name | The user's name, once it is set
        User.role | `user`, or what an operator set
        User.is_active | Whether the user may sign in
        createdAt | Unix seconds
        created_at | Unix seconds
        UserChange.name | `null` removes the name
        UserPage.nextCursor | The cursor of the next page; null after the last page
        users.cursor | The `nextCursor` of the page before
        users.limit | The number of users of a page
        path.session | The id in the list of the user's sessions
        OwnUser.phoneVerifiedAt | The Unix seconds of the last code to the phone number; only where the policy has passkeys
        OwnUser.metadata | Missing while both objects are empty
        ExportedAccount.metadata | Missing if both objects are empty
        UserChange.metadata | A JSON merge patch (RFC 7396)
        Metadata.app | The object that administrators write
        Metadata.own | The object that the user writes
        AppMetadataPatch.app | At most 4096 bytes after the merge, 8 levels deep; `null` empties the object
        OwnMetadataPatch.own | At most 4096 bytes after the merge, 8 levels deep; `null` empties the object
        reviews.cursor | The `nextCursor` of the page before
        decision | `clear`: everything that the account has signs in; `block`: the account is deactivated, and stays under review
        endedCount | The number of sessions that were revoked
        users.search | A user's id, or at least three characters of a phone number, with +, or of an email address, from its beginning
        users.changedSince | Only users that were changed at these Unix seconds or later; not with `search`
        updatedAt | When something of the user was changed last, in Unix seconds
        lastSignInAt | Unix seconds
        sessionCount | The number of live sessions; missing in a list, and while it is unknown
        isForReview | `true` for an account of an app store's reviewers
        legacyId | The id in the system from which the user was imported
        mergedInto | The id of the account of which this one became a part
        SessionSummary.id | The `sid` of the session's access tokens
        SessionSummary.deviceName | The device's own name, or one derived from its software
        SessionSummary.lastUsedAt | The Unix seconds of the last refresh, or of the sign-in
        SessionSummary.address | The network of the sign-in, IPv4 /24 or IPv6 /48
        SessionSummary.current | Whether the request was made with this session
        SessionSummary.acting | Whether somebody of the operator acts as the user in it; missing otherwise
        SessionSummary.web | Whether the session is a web page's, whose tokens are in cookies; missing otherwise
        path.id | The id in the list
        IdentitySummary.id | The id by which the user removes the identity
        IdentitySummary.kind | phone, email, apple or oidc
        IdentitySummary.provider | The provider's name; missing for a phone number or an email address
        IdentitySummary.value | The phone number or email address; missing for an account at a provider
        addedAt | Unix seconds
        IdentitySummary.lastUsedAt | The Unix seconds of the last sign-in; missing if there was none
        signedOut | Whether the change has ended this session too, so that the user signs in again
        activeFrom | When the passkey can be used, in Unix seconds; missing if it can be used already
        backedUp | Whether the passkey is copied to other devices
        transports | How browsers reach the passkey, such as internal
        aaguid | The model of the authenticator, which nothing proves
        credentialId | For `PublicKeyCredential.signalAllAcceptedCredentials()`
        userHandle | For `PublicKeyCredential.signalAllAcceptedCredentials()`
        origins | Origins of other domains
        payload | Apple's signed notification
        Discovery.api | The version of this document
        Discovery.version | The release of Latchkey
        issuer | The `iss` claim of access tokens
        Discovery.codes | Codes to phones, if there are any
        Discovery.mail | Codes and links by mail, if there are any
        Discovery.passwords | Whether users can have a password
        Discovery.providers | The identity providers whose tokens sign in, such as apple
        Discovery.phoneTokens | The services whose phone tokens sign in, such as fpnv
        Discovery.passkeys | Passkeys, if there are any
        Discovery.mfa | Second factors, if there are any
        rpID | The domain that passkeys belong to
        signUp | Whether `POST /auth/passkeys/signup/options` exists
        restoreKeys | Whether Android apps may add restore keys
        SecondFactors.totp | Whether users can turn on one-time passwords of an authenticator app
        Discovery.web | Where web pages have their tokens: refreshCookie, cookies, or none
        Discovery.refreshPath | The path that rotates the refresh token, if a cookie has it
        length | The number of digits
        codeLength | The number of digits
        channels | The values of `channel` that a client may send
        active | Whether the token is valid now; if not, all other members are missing
        sub | The user's id
        sid | The session's id
        jti | The token's id
        exp | When the token expires, in Unix seconds
        iat | When the token was issued, in Unix seconds
        iss | The issuer of the policy
        aud | The audience of the policy
        acr | `aal2` after a second factor, or a passkey that verified its user; otherwise `aal1`; only of an access token with this claim
        amr | What the user has shown, such as `sms`; only of an access token with this claim
        auth_time | When the user last showed who they are, in Unix seconds; only of an access token with this claim
        token_type | Bearer for an access token, refresh_token for a refresh token
        introspect.token | An access token or a refresh token
        revoke.token | An access token or a refresh token
        token_type_hint | Not needed, since the kinds of token look different
        client_id | With `client_secret`, in place of HTTP Basic
        grant_type | `client_credentials`
        client_assertion_type | `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`
        client_assertion | A JWT that the client has signed (RFC 7523), in place of a secret
        ClientTokenReply.token_type | Bearer
        expires_in | Seconds until the token expires
        export.cursor | The `nextCursor` of the page before
        UserExport.version | The version of this form
        UserExport.exportedAt | Unix seconds
        UserExport.account | Only on the first page
        UserExport.messages | The messages of the last 48 hours; only on the first page
        UserExport.records | The audit of the user, newest first of each service
        UserExport.sessions | Also sessions that have ended and are not removed yet
        UserExport.nextCursor | The cursor of the next page; the export is complete with the page that has none
        ExportedAccount.name | The user's name, once it is set
        ExportedAccount.hasTOTP | Whether one-time passwords of an authenticator app are on; missing if not
        ExportedAccount.recoveryCodesLeft | The recovery codes that were not used; missing if there are none
        ExportedAccount.active | Whether the user may sign in
        ExportedChange.phoneNumber | In E.164
        ExportedChange.movesAt | When the change happens, in Unix seconds
        Problem.type | The code's section of the error catalogue, relative to the gateway
        Problem.code | The reason for programs
        Problem.reason | A reason that is more specific than the code
        Problem.limit | What was exceeded: lockout, sends or requests
        Problem.retryAfter | Seconds until another try
        Problem.mergeToken | With `identity_in_use`: merges the other account, if that is possible
        Problem.restoreToken | With `deletion_scheduled`: keeps the account and signs in, if that is possible
        restoreToken | The token of the response `deletion_scheduled`
        Problem.methods | With `merge_proof_required`, what else can be verified of the other account; with `second_identity_required`, other ways to sign in; with `second_factor_required`, `totp`, `passkey`, `recovery`
        MergeBody.mergeToken | The token of the response `identity_in_use`
        MergeBody.code | The code of `POST /users/me/merge/request`; with `verifier`, the code that the browser brought
        MergeBody.channel | The channel of that request, if it had one
        MergeBody.password | The other account's password
        MergeBody.identityToken | A token of the other account's identity at `provider`
        MergeCodeBody.mergeToken | The token of the response `identity_in_use`
        MergeCodeBody.channel | `email`, or a channel to phones; by default that of the other account
        MergeBody.wait | `true` if a merge that needs a further proof waits, instead of being refused
        MergeBody.keepPhone | `other` if the other account's phone number replaces the user's
        Problem.success | Always false
        Problem.error | The code, or the words of the dialect's own document
        Problem.data | Always null
        Problem.errors | Always null
        Login.status | Always true
        Refresh.status | Always true
        """
}
