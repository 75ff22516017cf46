/// The body of `POST /auth/otp/request` (howru section 3).
public struct OTPRequestBody: Codable, Sendable, Equatable {
    public var phoneNumber: String
    /// ISO 3166 region for national numbers, e.g. `US`.
    public var countryCode: String?
    public var channel: String?
    public var locale: String?
    /// The hash of the Android app, so that its SMS Retriever receives the code automatically.
    public var appHash: String?

    public init(
        phoneNumber: String, countryCode: String? = nil, channel: String? = nil, locale: String? = nil,
        appHash: String? = nil
    ) {
        self.phoneNumber = phoneNumber
        self.countryCode = countryCode
        self.channel = channel
        self.locale = locale
        self.appHash = appHash
    }
}

/// The response to `POST /auth/otp/request`.
public struct OTPRequestReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var status: String
    public var message: String

    public init(success: Bool, status: String, message: String) {
        self.success = success
        self.status = status
        self.message = message
    }
}

/// The body of `POST /auth/otp/verify` (howru section 3).
public struct OTPVerifyBody: Codable, Sendable, Equatable {
    public var phoneNumber: String
    public var countryCode: String?
    public var code: String
    /// The name of a new user.
    public var name: String?
    /// The name of this device in the list of sessions.
    public var deviceName: String?
    /// `true` begins a new account with the number, after `second_identity_required`.
    public var newAccount: Bool?

    public init(
        phoneNumber: String, countryCode: String? = nil, code: String, name: String? = nil, deviceName: String? = nil,
        newAccount: Bool? = nil
    ) {
        self.newAccount = newAccount
        self.phoneNumber = phoneNumber
        self.countryCode = countryCode
        self.code = code
        self.name = name
        self.deviceName = deviceName
    }
}

/// The response to a sign-in.
public struct SignInReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var isNewUser: Bool
    public var user: UserProfile
    public var tokens: TokenReply
    /// Whether this sign-in cancelled a scheduled deletion; missing otherwise.
    public var restored: Bool?
    /// Whether the user had signed in neither from this device nor from this network before; `nil` means not.
    public var newDevice: Bool?

    public init(
        success: Bool, isNewUser: Bool, user: UserProfile, tokens: TokenReply, restored: Bool? = nil,
        newDevice: Bool? = nil
    ) {
        self.success = success
        self.isNewUser = isNewUser
        self.user = user
        self.tokens = tokens
        self.restored = restored
        self.newDevice = newDevice
    }
}
