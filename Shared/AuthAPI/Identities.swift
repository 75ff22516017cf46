/// The response to `GET /users/me/identities`: everything that signs the user in, oldest first.
public struct IdentityList: Codable, Sendable, Equatable {
    public var identities: [IdentitySummary]
    public var hasPassword: Bool
    /// A change of the phone number by support, to which the user may object; missing if there is none.
    public var pendingPhone: PendingPhoneSummary?
    /// A merge with another account that waits, to which the user may object; missing if there is none.
    public var pendingMerge: PendingMergeSummary?

    public init(
        identities: [IdentitySummary], hasPassword: Bool, pendingPhone: PendingPhoneSummary? = nil,
        pendingMerge: PendingMergeSummary? = nil
    ) {
        self.pendingMerge = pendingMerge
        self.pendingPhone = pendingPhone
        self.identities = identities
        self.hasPassword = hasPassword
    }
}

/// A phone number that the account gets, unless the user objects with `DELETE /users/me/phone/pending`.
public struct PendingPhoneSummary: Codable, Sendable, Equatable {
    /// Unix time in seconds at which the number changes.
    public var movesAt: Int64
    /// The last two digits of the new number.
    public var lastDigits: String

    public init(movesAt: Int64, lastDigits: String) {
        self.movesAt = movesAt
        self.lastDigits = lastDigits
    }
}

/// A merge of the account and another one, unless one of the users objects with `DELETE /users/me/merge/pending`.
public struct PendingMergeSummary: Codable, Sendable, Equatable {
    /// Unix time in seconds of the merge.
    public var movesAt: Int64
    /// Whether this account becomes a part of the other one; otherwise it is the one that stays.
    public var intoAnother: Bool

    public init(movesAt: Int64, intoAnother: Bool) {
        self.movesAt = movesAt
        self.intoAnother = intoAnother
    }
}

/// One of the user's identities; times are Unix seconds.
public struct IdentitySummary: Codable, Sendable, Equatable {
    /// The identity's id for `DELETE /users/me/identities/{id}`.
    public var id: String
    /// `phone`, `email`, `apple` or `oidc`.
    public var kind: String
    /// The provider's name; missing for a phone number or an email address.
    public var provider: String?
    /// The phone number or the email address; missing for an account at a provider.
    public var value: String?
    public var addedAt: Int64
    /// The time of the last sign-in; missing if there was none.
    public var lastUsedAt: Int64?

    public init(
        id: String, kind: String, provider: String? = nil, value: String? = nil, addedAt: Int64,
        lastUsedAt: Int64? = nil
    ) {
        self.id = id
        self.kind = kind
        self.provider = provider
        self.value = value
        self.addedAt = addedAt
        self.lastUsedAt = lastUsedAt
    }
}

/// The body of `POST /users/me/phone`: a code with its phone number, or the token of a service that verifies phone numbers.
public struct OwnPhoneBody: Codable, Sendable, Equatable {
    public var phoneNumber: String?
    public var countryCode: String?
    public var code: String?
    public var token: String?
    /// The nonce whose hash the app gave to the SDK.
    public var nonce: String?

    public init(
        phoneNumber: String? = nil, countryCode: String? = nil, code: String? = nil, token: String? = nil,
        nonce: String? = nil
    ) {
        self.phoneNumber = phoneNumber
        self.countryCode = countryCode
        self.code = code
        self.token = token
        self.nonce = nonce
    }
}

/// The body of `POST /users/me/email`.
public struct OwnEmailBody: Codable, Sendable, Equatable {
    public var email: String
    public var code: String

    public init(email: String, code: String) {
        self.email = email
        self.code = code
    }
}

/// The body of `POST /users/me/identities/apple` and `POST /users/me/identities/oidc/{name}`.
public struct OwnIdentityBody: Codable, Sendable, Equatable {
    /// The provider's token, as its SDK gave it to the app.
    public var identityToken: String?
    /// The nonce whose hash the app gave to the provider's SDK.
    public var nonce: String?
    /// Apple's authorization code.
    public var authorizationCode: String?
    /// In place of the token, the code that the browser brought to the app.
    public var code: String?
    /// The secret whose hash began that flow.
    public var verifier: String?

    public init(
        identityToken: String? = nil, nonce: String? = nil, authorizationCode: String? = nil, code: String? = nil,
        verifier: String? = nil
    ) {
        self.code = code
        self.verifier = verifier
        self.identityToken = identityToken
        self.nonce = nonce
        self.authorizationCode = authorizationCode
    }
}

/// The body of `POST /users/me/merge`, with at most one proof of the other account: a code, its password, a phone token, or a
/// provider with an identity token or with the code of a flow in a browser.
public struct MergeBody: Codable, Sendable, Equatable {
    /// The token of the response `identity_in_use`.
    public var mergeToken: String
    /// `other` if the other account's phone number replaces the user's.
    public var keepPhone: String?
    /// The code of `POST /users/me/merge/request`; with `verifier`, the code that the browser brought to the app.
    public var code: String?
    /// The channel of that request, if it had one.
    public var channel: String?
    public var password: String?
    /// `apple`, or the name of an OpenID Connect provider.
    public var provider: String?
    public var identityToken: String?
    /// The nonce whose hash the app gave to the provider's SDK.
    public var nonce: String?
    /// The secret whose hash began a flow of `POST /users/me/identities/{provider}/authorize`.
    public var verifier: String?
    public var phoneToken: String?
    /// `true` if the merge waits, instead of being refused, when the other account has more to verify and the body has no proof.
    public var wait: Bool?

    public init(
        mergeToken: String, keepPhone: String? = nil, code: String? = nil, channel: String? = nil,
        password: String? = nil, provider: String? = nil, identityToken: String? = nil, nonce: String? = nil,
        verifier: String? = nil, phoneToken: String? = nil, wait: Bool? = nil
    ) {
        self.verifier = verifier
        self.phoneToken = phoneToken
        self.wait = wait
        self.mergeToken = mergeToken
        self.keepPhone = keepPhone
        self.code = code
        self.channel = channel
        self.password = password
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
    }
}

/// The body of `POST /users/me/merge/request`. The code goes to a phone number or email address of the other account.
public struct MergeCodeBody: Codable, Sendable, Equatable {
    public var mergeToken: String
    /// `email`, or a channel to phones; by default that of the other account.
    public var channel: String?
    public var locale: String?
    /// See `OTPRequestBody`.
    public var appHash: String?

    public init(mergeToken: String, channel: String? = nil, locale: String? = nil, appHash: String? = nil) {
        self.mergeToken = mergeToken
        self.channel = channel
        self.locale = locale
        self.appHash = appHash
    }
}

/// The response to a change of identities.
public struct IdentityChangeReply: Codable, Sendable, Equatable {
    public var success: Bool
    /// Whether the change has ended this session too, so that the user signs in again. Otherwise the next refresh brings tokens with
    /// the change.
    public var signedOut: Bool

    public init(success: Bool = true, signedOut: Bool) {
        self.success = success
        self.signedOut = signedOut
    }
}

/// The response to a merge that waits.
public struct MergePendingReply: Codable, Sendable, Equatable {
    public var success: Bool
    /// Unix time in seconds of the merge.
    public var movesAt: Int64

    public init(success: Bool = true, movesAt: Int64) {
        self.success = success
        self.movesAt = movesAt
    }
}
