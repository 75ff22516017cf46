import AuthAPI
import Policies
import StrictJSON
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The parts that only uta's dialect has.
@Suite struct UtaTests {
    private let passwords = NativePasswords(appName: "A", texts: .english)

    @Test func `a refresh has the native members and those of a login`() throws {
        let body = try StrictJSON.encode(UtaTokens(TokenReply(accessToken: "a", refreshToken: "r", expiresIn: 9)))
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"accessToken":"a","refreshToken":"r","expiresIn":9,"tokens":{"access":"a","refresh":"r"}}"#)
    }

    @Test func `every path of its document is there`() {
        let paths = Set(UtaDialect(passwords: passwords).rows.map { "\($0.method.rawValue) \($0.pattern.text)" })
        let printed: Set = [
            "POST /auth/login", "POST /auth/register", "POST /auth/forgot-password", "POST /auth/reset-password",
            "POST /auth/verify-email", "GET /auth/me", "PATCH /auth/profile", "POST /auth/change-password",
            "POST /auth/logout", "DELETE /auth/account", "POST /auth/refresh",
        ]
        #expect(
            paths
                == printed.union([
                    "GET /auth/verify-email", "GET /auth/reset-password", "POST /auth/verify-email/resend",
                ]))
        #expect(
            Set(UtaDialect().rows.map(\.pattern.text)) == [
                "/auth/refresh", "/auth/logout", "/auth/me", "/auth/profile",
            ])
    }

    @Test(arguments: RefusalTests.native.map(\.0))
    func `its refusals are native`(refusal: Refusal) {
        let (own, native) = (UtaDialect().reply(to: refusal), NativeDialect().reply(to: refusal))
        #expect(own.status == native.status && own.body == native.body)
    }
}
