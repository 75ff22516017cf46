import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The answers of voltyks' dialect, byte by byte where its document prints them.
@Suite struct VoltyksTests {
    private let tokens = TokenSet(
        accessToken: "a", refreshToken: "r", accessExpiresAt: 1_767_709_120, refreshExpiresAt: 1_768_312_120,
        expiresIn: 3, sessionID: "s", userID: "u")

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    @Test func `tokens stand in the envelope, with times that name no zone`() throws {
        let times =
            #""accessTokenExpiresAt":"2026-01-06T14:18:40","refreshTokenExpiresAt":"2026-01-13T13:48:40""#
        let refreshed = VoltyksEnvelope(message: "m", data: VoltyksTokens(origin: .refresh, tokens: tokens))
        #expect(
            try text(refreshed)
                == #"{"status":true,"message":"m","data":{"accessToken":"a","refreshToken":"r",\#(times)}}"#)
        let login = VoltyksEnvelope(message: "m", data: VoltyksTokens(origin: .login, tokens: tokens))
        #expect(
            try text(login) == #"{"status":true,"message":"m","data":{"token":"a","refreshToken":"r",\#(times)}}"#)
    }

    static let printed: [(Refusal, String)] = [
        (.noRefreshToken, "Refresh token not found"),
        (.refreshTokenInvalid(.malformed), "Invalid refresh token format"),
        (.refreshTokenInvalid(.reused), "RefreshTokenMismatch"),
        (.refreshTokenInvalid(.revoked), "RefreshTokenMismatch"),
        (.refreshTokenInvalid(.expired), "RefreshTokenMismatch"),
        (.refreshTokenInvalid(.unknown), "RefreshTokenMismatch"),
        (.refreshTokenInvalid(.inactive), "RefreshTokenMismatch"), (.invalidCredentials, "InvalidCredentials"),
    ]

    @Test(arguments: printed)
    func `what the document refuses stands in its envelope`(refusal: Refusal, message: String) {
        let reply = VoltyksDialect().reply(to: refusal)
        #expect(reply.status == 401)
        #expect(
            String(decoding: reply.body, as: UTF8.self)
                == "{\"status\":false,\"message\":\"\(message)\",\"data\":null,\"errors\":null}")
    }

    /// Gson reads a missing `status` as false, and a number as no Boolean at all.
    @Test(arguments: RefusalTests.native.map(\.0) + [.wrongCode, .codeExpired])
    func `everything else has a numeric status, at which no client forgets its tokens`(refusal: Refusal) throws {
        guard !Self.printed.contains(where: { $0.0 == refusal }) else { return }
        let reply = VoltyksDialect().reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(body["status"]?.integerValue == Int64(reply.status) && body["data"] == nil)
        #expect(reply.headers.contains { $0 == ("Content-Type", "application/problem+json") })
        #expect(![429, 503].contains(reply.status) || reply.headers.contains { $0.0 == "Retry-After" })
    }

    @Test(arguments: [
        ("555dce3b-198f-426d-b0be-92d234747cc3", true), ("555DCE3B-198F-426D-B0BE-92D234747CC3", true),
        ("555dce3b198f426db0be92d234747cc3", false), ("555dce3b-198f-426d-b0be-92d234747cc", false),
        ("555dce3g-198f-426d-b0be-92d234747cc3", false), ("555dce3b-198f-426d-b0be-92d234747cc33", false),
        ("-55dce3b-198f-426d-b0be-92d234747cc3", false), ("", false),
    ])
    func `a GUID is known by its form`(text: String, isGUID: Bool) {
        #expect(VoltyksDialect.isGUID(Array(text.utf8)) == isGUID)
    }

    @Test func `without passwords nobody logs in`() {
        #expect(VoltyksDialect().rows.map(\.pattern.text) == ["/api/Auth/Login", "/api/Auth/RefreshToken"])
        #expect(VoltyksDialect(hasPasswords: false).rows.map(\.pattern.text) == ["/api/Auth/RefreshToken"])
        #expect(VoltyksDialect().rows.allSatisfy { $0.ignoresCase })
    }
}
