import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// One user's life in the document's HTTP lines; each answer is as printed, or a statement is found wrong.
struct VoltyksLife {
    let calls: VoltyksCalls
    let user: PasswordUser

    /// - Returns: the tokens at its end.
    @discardableResult
    func run() async -> VoltyksCalls.Tokens? {
        var tokens: VoltyksCalls.Tokens?
        await show("V17", "V31") { tokens = try await logIn() }
        guard let first = tokens else { return nil }
        await show("V1", "V2", "V3", "V4", "V5", "V6") { tokens = try await calls.refreshed(first.refreshToken) }
        guard let second = tokens else { return nil }
        await show("V7") { try expectTimes(second) }
        await show("V8") { try expectAccessToken(second.access) }
        await show("V10") { try expectOurs(second.refreshToken) }
        await show("V11", "V32") {
            let third = try await calls.refreshed(second.refreshToken)
            try VoltyksCalls.mismatch.check(try await calls.refresh(second.refreshToken))
            tokens = try await calls.refreshed(third.refreshToken)
        }
        await show("V12") {
            // The login's token after two refreshes: refused, and nothing else happens.
            try VoltyksCalls.mismatch.check(try await calls.refresh(first.refreshToken))
            tokens = try await calls.refreshed(tokens?.refreshToken ?? "")
        }
        await refusals()
        return tokens
    }

    private func logIn() async throws -> VoltyksCalls.Tokens {
        let tokens = try await calls.signIn(user)
        try expectTimes(tokens)
        try expectAccessToken(tokens.access)
        try expectOurs(tokens.refreshToken)
        try VoltyksCalls.invalidCredentials.check(try await calls.logIn(user.address, user.password + "!"))
        return tokens
    }

    /// The document's words, and ours for what it does not name.
    private func refusals() async {
        let unknown = Hex.encode(SecureRandom.bytes(32))
        await show("V13", "V14") {
            for token in [unknown, "555dce3b-198f-426d-b0be-92d234747cc3"] {
                try VoltyksCalls.mismatch.check(try await calls.refresh(token))
            }
        }
        await show("V13", "V15") { try VoltyksCalls.notFound.check(try await calls.refresh(authorization: [])) }
        await show("V13", "V16") {
            let values = ["Bearer abc-123", "Bearer \(unknown.dropLast())", "Basic \(unknown)", "Bearer"]
            for value in values {
                try VoltyksCalls.badFormat.check(try await calls.refresh(authorization: [value]))
            }
            let two = ["Bearer \(unknown)", "Bearer \(unknown)"]
            try VoltyksCalls.badFormat.check(try await calls.refresh(authorization: two))
        }
    }

    /// Both ends as UTC without a zone: the access token's own, and seven days from now.
    private func expectTimes(_ tokens: VoltyksCalls.Tokens) throws {
        let printed = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/#
        for text in [tokens.accessTokenExpiresAt, tokens.refreshTokenExpiresAt] {
            try hold(try printed.wholeMatch(in: text) != nil, "\(text) is as 2026-01-06T14:18:40")
        }
        try hold(tokens.access.split(separator: ".").count == 3, "an access token has three parts")
        let end = try TokenParts(tokens.access).claims["exp"]?.integerValue ?? 0
        try hold(tokens.accessTokenExpiresAt == Self.text(end), "\(tokens.accessTokenExpiresAt) is the token's end")
        let now = Int64(Date().timeIntervalSince1970)
        let week = (-30...30).map { Self.text(now + 604_800 + $0) }
        try hold(week.contains(tokens.refreshTokenExpiresAt), "\(tokens.refreshTokenExpiresAt) is in seven days")
    }

    private static func text(_ time: Int64) -> String {
        String(Date(timeIntervalSince1970: Double(time)).formatted(.iso8601).dropLast())
    }

    private func expectAccessToken(_ token: String) throws {
        try hold(token.split(separator: ".").count == 3, "an access token has three parts")
        let parts = try TokenParts(token)
        try hold(parts.header["alg"]?.stringValue == "HS256", "HS256")
        try hold(parts.lifetime == 1800, "30 minutes")
        try hold(parts.claims["email"]?.stringValue == user.address, "the claim email")
    }

    private func expectOurs(_ token: String) throws {
        try hold(token.count == 64 && token.allSatisfy { "0123456789abcdef".contains($0) }, "\(token.count) hex digits")
    }
}
