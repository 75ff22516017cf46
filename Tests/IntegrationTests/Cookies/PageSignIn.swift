import AuthAPI
import StrictJSON
import TestSupport
import Testing

/// Policies whose pages have cookies, and the ways in which a page signs in.
enum PagePolicy {
    /// howru's policy with the refresh token of native's pages in a cookie, and passwords.
    static let refreshCookie = PolicyText.passwords.merging(PolicyText.unlimitedRefreshes) { $1 }.merging(
        web("refreshCookie")
    ) { $1 }

    /// Changes howru's policy so that native's pages have cookies.
    static func web(_ web: String) -> [String: String] {
        ["  - name: native\n    profile: mobile\n": "  - name: native\n    profile: mobile\n    web: \(web)\n"]
    }
}

extension PageClient {
    /// Signs a phone number in with the code of the inbox.
    func signIn(
        on stack: LatchkeyStack, phone: String = LatchkeyStack.freshPhone(), headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await stack.requestCode(for: phone)
        let code = try await stack.code(for: phone)
        return try await post(
            "/auth/otp/verify", #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(code)"}"#, headers: headers)
    }

    /// Signs in and returns the access token of the response.
    @discardableResult
    func signedIn(on stack: LatchkeyStack, phone: String = LatchkeyStack.freshPhone()) async throws -> String {
        let answer = try await signIn(on: stack, phone: phone)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.decoded(SignInReply.self).tokens.accessToken
    }

    func refresh(_ body: String = "{}", headers: [(String, String)] = []) async throws -> HTTPAnswer {
        try await post("/auth/refresh", body, headers: headers)
    }
}

extension HTTPAnswer {
    /// The stable code of a refusal in the native dialect.
    var code: String? { member("code") }
    var reason: String? { member("reason") }

    private func member(_ name: String) -> String? {
        do { return try json[name]?.stringValue } catch { return nil }
    }

    /// The names of the members of the object `name` in the body.
    func members(of name: String) -> [String]? {
        do { return try json[name]?.memberNames } catch { return nil }
    }
}
