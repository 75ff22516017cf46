import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The response of the shipped dialects to each refusal.
@Suite struct RefusalTests {
    static let native: [(Refusal, Int, String)] = [
        (.invalidBody(.notJSON), 400, "invalid_request"), (.invalidBody(.missing(member: "a")), 400, "invalid_request"),
        (.invalidMember, 400, "invalid_request"), (.malformedIdempotencyKey, 400, "invalid_request"),
        (.notAssignable, 400, "not_assignable"), (.noRefreshToken, 401, "missing_token"),
        (.usedIdempotencyKey, 400, "invalid_request"), (.rightsAsked, 400, "invalid_request"),
        (.nothingToEnd, 400, "invalid_request"), (.invalidPhone, 400, "invalid_phone"),
        (.blockedCountry, 422, "blocked_country"), (.codeNotSent(retryAfterSeconds: 5), 503, "provider_error"),
        (.noAccessToken, 401, "missing_token"), (.accessTokenExpired, 401, "token_expired"),
        (.accessTokenInvalid, 401, "invalid_token"), (.refreshTokenInvalid(.reused), 401, "invalid_refresh_token"),
        (.refreshTokenInvalid(.expired), 401, "invalid_refresh_token"), (.accountInactive, 403, "account_inactive"),
        (.accountUnderReview, 403, "account_under_review"),
        (.deletionScheduled(), 409, "deletion_scheduled"), (.roleMissing(["admin"]), 403, "forbidden"),
        (.phoneChangePending(movesAt: 5), 409, "phone_change_pending"),
        (.secondIdentityRequired(methods: ["email"]), 403, "second_identity_required"),
        (.notInvited, 403, "not_invited"), (.weakPassword, 400, "weak_password"),
        (.registrationClosed, 403, "registration_closed"), (.invalidLink, 400, "invalid_link"),
        (.wrongPassword, 400, "wrong_password"), (.invalidCredentials, 401, "invalid_credentials"),
        (.noPassword, 409, "no_password"), (.changePending(retryAfterSeconds: 5), 503, "change_pending"),
        (.identityInUse(), 409, "identity_in_use"), (.mergeRefused, 409, "merge_refused"),
        (.mergeProofRequired(methods: ["phone"]), 403, "merge_proof_required"), (.lastIdentity, 409, "last_identity"),
        (.noSuchIdentity, 404, "not_found"), (.identityChanged, 409, "identity_changed"),
        (.addressNeeded, 409, "email_required"), (.anyChangedElsewhere, 400, "changed_elsewhere"),
        (.passkeyRefused, 401, "passkey_refused"), (.passkeyInvalid, 400, "passkey_invalid"),
        (.passkeyExists, 409, "passkey_exists"), (.tooManyPasskeys, 409, "too_many_passkeys"),
        (.noSuchPasskey, 404, "not_found"),
        (.secondFactorRequired(mfaToken: "mfa", methods: ["totp"]), 403, "second_factor_required"),
        (.secondFactorRefused, 401, "second_factor_refused"),
        (.tooManyAttempts(retryAfterSeconds: 30), 429, "too_many_attempts"),
        (.secondFactorExists, 409, "second_factor_exists"), (.noSecondFactor, 404, "not_found"),
        (.recoveryCodesNeeded, 409, "recovery_codes_needed"),
        (.authenticationTooWeak(RequiredAuthentication(level: .aal2)), 401, "insufficient_user_authentication"),
        (.noSuchUser, 404, "not_found"), (.versionMismatch, 412, "precondition_failed"),
        (.lastAdministrator, 409, "last_admin"), (.removalDue, 409, "removal_due"), (.alreadyUser, 409, "already_user"),
        (.reviewAccessesOpen, 409, "review_accesses_open"), (.noSuchSession, 404, "not_found"),
        (.notFound, 404, "not_found"),
        (.methodNotAllowed(["GET"]), 405, "method_not_allowed"), (.unavailable, 503, "unavailable"),
        (.tooMany(retryAfterSeconds: 7), 429, "rate_limited"),
        (.tooManyGuesses(retryAfterSeconds: 7), 429, "rate_limited"),
        (.tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 7), 429, "rate_limited"),
        (.upstream(.timeout), 504, "upstream_timeout"),
        (.upstream(.overloaded), 503, "unavailable"), (.upstream(.brokenAnswer), 502, "bad_gateway"),
        (.violation(.bodyTooLarge), 413, "body_too_large"), (.violation(.badHost), 400, "malformed_request"),
    ]

    @Test(arguments: native)
    func `native says what it refuses by status and code`(refusal: Refusal, status: Int, code: String) throws {
        let reply = NativeDialect().reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(reply.status == status && body["error"]?.stringValue == code)
        #expect(status != 401 || reply.headers.contains { $0.0 == "WWW-Authenticate" })
        #expect(status != 503 && status != 429 || reply.headers.contains { $0.0 == "Retry-After" })
    }

    @Test func `a document's sign-in that needs a second factor is 403 in its own shape, without the token`() throws {
        let refusal = Refusal.secondFactorRequired(mfaToken: "mfa.token", methods: ["totp"])
        for (dialect, member) in [
            (AarokyaDialect(), "error"), (GremlinDialect(), "code"),
        ] as [(any GatewayCore.Dialect, String)] {
            let reply = dialect.reply(to: refusal)
            #expect(reply.status == 403)
            let body = try StrictJSON.parse(reply.body, limits: .own)
            #expect(body[member]?.stringValue == "SECOND_FACTOR_REQUIRED")
            #expect(!String(decoding: reply.body, as: UTF8.self).contains("mfa.token"))
        }
        let own = try StrictJSON.parse(NativeDialect().reply(to: refusal).body, limits: .own)
        #expect(own["mfaToken"]?.stringValue == "mfa.token" && own["methods"] != nil)
        #expect(VoltyksDialect().reply(to: refusal).status == 403)
    }

    @Test(arguments: RefusedRefreshReason.allCases + [nil])
    func `only native's 401 of a refresh names the reason`(reason: RefusedRefreshReason?) throws {
        let refusal = Refusal.refreshTokenInvalid(.reused, reason)
        let others: [any GatewayCore.Dialect] = [AarokyaDialect(), VoltyksDialect(), GremlinDialect()]
        for (dialect, expected) in [(NativeDialect() as any GatewayCore.Dialect, reason?.rawValue)]
            + others.map({ ($0, nil) })
        {
            let body = try StrictJSON.parse(dialect.reply(to: refusal).body, limits: .own)
            #expect(body["reason"]?.stringValue == expected)
        }
    }

    /// A client that is told which member is wrong can correct it.
    @Test(arguments: [
        (Refusal.invalid(member: "region"), "countryCode"), (.invalid(member: "appHash"), "appHash"),
        (.invalidBody(.missing(member: "phoneNumber")), "phoneNumber"),
        (.invalidBody(.wrongType(member: "code")), "code"), (.invalidBody(.brokenMember("name")), "name"),
    ])
    func `every dialect names the member that is wrong`(refusal: Refusal, name: String) throws {
        let dialects: [any GatewayCore.Dialect] = [
            NativeDialect(), AarokyaDialect(), VoltyksDialect(), GremlinDialect(), UtaDialect(),
        ]
        for dialect in dialects {
            let reply = dialect.reply(to: refusal)
            #expect(reply.status == 400)
            #expect(String(decoding: reply.body, as: UTF8.self).contains("'\(name)'"), "\(dialect.name)")
        }
    }

    @Test func `aarokya's code is called as its document calls it`() {
        let body = AarokyaDialect().reply(to: .invalid(member: "code")).body
        #expect(String(decoding: body, as: UTF8.self).contains("'otp'"))
    }

    @Test(arguments: [(Refusal.wrongCode, "invalid_code"), (.codeExpired, "code_expired")])
    func `a refused code has howru's sentence, our code and no challenge`(refusal: Refusal, code: String) throws {
        let reply = NativeDialect().reply(to: refusal)
        #expect(reply.status == 401 && !reply.headers.contains { $0.0 == "WWW-Authenticate" })
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(body.memberNames == ["code", "error", "success"])
        #expect(body["error"]?.stringValue == "Invalid or expired verification code")
        #expect(body["success"]?.boolValue == false && body["code"]?.stringValue == code)
    }

    @Test(arguments: LimitKind.allCases)
    func `native's 429 names the limit, beside the members that howru prints`(limit: LimitKind) throws {
        for refusal in [Refusal.tooMany(limit, retryAfterSeconds: 7), .tooManyGuesses(limit, retryAfterSeconds: 7)] {
            let body = try StrictJSON.parse(NativeDialect().reply(to: refusal).body, limits: .own)
            #expect(body.memberNames == ["code", "error", "limit", "retryAfter"])
            #expect(body["code"]?.stringValue == "rate_limited")
            #expect(body["retryAfter"]?.integerValue == 7 && body["limit"]?.stringValue == limit.rawValue)
        }
    }

    @Test func `a 429 of the edge is a limit of requests, and other problems name none`() throws {
        let edge = Refusal.tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 7)
        let body = try StrictJSON.parse(NativeDialect().reply(to: edge).body, limits: .own)
        #expect(body["limit"]?.stringValue == "requests")
        let other = try StrictJSON.parse(NativeDialect().reply(to: .unavailable).body, limits: .own)
        #expect(other["limit"] == nil)
    }

    static let aarokya: [(Refusal, Int, String)] = [
        (.wrongCode, 401, "INVALID_OTP"), (.codeExpired, 401, "OTP_EXPIRED"),
        (.noAccessToken, 401, "MISSING_TOKEN"), (.nothingToEnd, 401, "MISSING_TOKEN"),
        (.accessTokenExpired, 401, "INVALID_TOKEN"), (.accessTokenInvalid, 401, "INVALID_TOKEN"),
        (.refreshTokenInvalid(.reused), 401, "INVALID_TOKEN"), (.refreshTokenInvalid(.expired), 401, "INVALID_TOKEN"),
        (.tooManyGuesses(retryAfterSeconds: 7), 429, "TOO_MANY_OTP_ATTEMPTS"),
        (.tooMany(retryAfterSeconds: 7), 429, "RATE_LIMIT_EXCEEDED"),
        (.tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 7), 429, "RATE_LIMIT_EXCEEDED"),
        (.invalidBody(.missing(member: "phone")), 400, "INVALID_REQUEST"), (.invalidPhone, 400, "INVALID_PHONE"),
        (.blockedCountry, 422, "BLOCKED_COUNTRY"), (.codeNotSent(retryAfterSeconds: 5), 503, "PROVIDER_ERROR"),
        (.accountInactive, 403, "ACCOUNT_INACTIVE"), (.deletionScheduled(), 409, "DELETION_SCHEDULED"),
        (.roleMissing(["admin"]), 403, "FORBIDDEN"), (.notFound, 404, "NOT_FOUND"),
        (.methodNotAllowed(["GET"]), 405, "METHOD_NOT_ALLOWED"), (.unavailable, 503, "UNAVAILABLE"),
        (.upstream(.timeout), 504, "UPSTREAM_TIMEOUT"), (.violation(.bodyTooLarge), 413, "BODY_TOO_LARGE"),
    ]

    @Test(arguments: aarokya)
    func `aarokya says what it refuses by its document's codes`(refusal: Refusal, status: Int, code: String) throws {
        let reply = AarokyaDialect().reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(reply.status == status && body["error"]?.stringValue == code)
        #expect(body["message"]?.stringValue?.isEmpty == false && body["status"] == nil)
        #expect(status != 503 && status != 429 || reply.headers.contains { $0.0 == "Retry-After" })
    }

    @Test(arguments: [
        (Refusal.clientRefused, 401, "invalid_client"), (.invalidMember, 400, "invalid_request"),
        (.tooMany(retryAfterSeconds: 9), 429, "rate_limited"), (.unavailable, 503, "temporarily_unavailable"),
    ])
    func `oauth refuses in the shape of RFC 6749`(refusal: Refusal, status: Int, code: String) throws {
        let reply = OAuthDialect().reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(reply.status == status && body["error"]?.stringValue == code && body["type"] == nil)
    }
}
