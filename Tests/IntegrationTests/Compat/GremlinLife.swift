import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// The life of an administrator and of a user without rights in the document's HTTP lines; each answer is as printed, or a
/// statement is found wrong.
struct GremlinLife {
    let calls: GremlinCalls
    let administrator: PasswordUser
    let user: PasswordUser

    func run() async {
        var signedIn: GremlinCalls.SignIn?
        await show("G4", "G5", "G10", "G17") {
            let answer = try await calls.signIn(administrator)
            try hold(answer.user.email == administrator.address, "the user's own address")
            try hold(answer.user.role == "admin", "\(answer.user.role) is the user's role")
            try Self.expect(answer.session)
            signedIn = answer
        }
        await show("G9") { _ = try await calls.signIn(administrator, path: GremlinCalls.betterAuthPath) }
        guard let signedIn else { return }
        await show("G2", "G6") {
            let parts = try TokenParts(signedIn.session.token)
            try hold(parts.header["alg"]?.stringValue == "RS256", "RS256")
            try hold(parts.claims["role"]?.stringValue == "admin", "the claim role")
            let hello = try await calls.gateway.get("/api/hello", bearer: signedIn.session.token)
            try hold(hello.status == 200, "the token opens the app's API")
        }
        await show("G7") { try hold(try TokenParts(signedIn.session.token).lifetime == 3600, "an hour") }
        await show("G8") {
            let next = try await calls.refreshed(signedIn.session.refreshToken)
            try Self.expect(next)
            try hold(next.refreshToken != signedIn.session.refreshToken, "the refresh token is another")
        }
        await show("G11") { try await expectUsers(signedIn) }
        await refusals()
    }

    /// A token with its own end as UTC.
    private static func expect(_ session: GremlinCalls.Session) throws {
        try hold(session.token.split(separator: ".").count == 3, "a JWT")
        let end = try TokenParts(session.token).claims["exp"]?.integerValue ?? 0
        let text = Date(timeIntervalSince1970: Double(end)).formatted(.iso8601)
        try hold(session.expiresAt == text, "\(session.expiresAt) is the token's end")
    }

    /// All users, each once, on a first page of one and larger ones behind it.
    private func expectUsers(_ signedIn: GremlinCalls.SignIn) async throws {
        let token = signedIn.session.token
        var (ids, query) = ([String](), "?limit=1")
        repeat {
            let answer = try await calls.users(token, query: query)
            let body = try answer.json
            let next = body["nextCursor"]?.stringValue
            try GremlinCalls.page(isLast: next == nil).check(answer)
            let page = body["users"]?.arrayValue ?? []
            try hold(!ids.isEmpty || page.count == 1, "the first page has one user")
            ids += page.compactMap { $0["id"]?.stringValue }
            query = next.map { "?limit=100&cursor=\($0)" } ?? ""
        } while !query.isEmpty && ids.count < 10_000
        try hold(Set(ids).count == ids.count && ids.count >= 2, "each user once")
        try hold(ids.contains(signedIn.user.id), "the administrator is among them")
        for query in ["?limit=0", "?limit=101", "?limit=x", "?cursor=forged"] {
            try GremlinCalls.refusal(400, "INVALID_REQUEST").check(try await calls.users(token, query: query))
        }
    }

    private func refusals() async {
        await show("G12") {
            try GremlinCalls.refusal(401, "MISSING_TOKEN").check(try await calls.users(nil))
            try GremlinCalls.refusal(401, "INVALID_TOKEN").check(try await calls.users("bad"))
            let unknown = Hex.encode(SecureRandom.bytes(32))
            try GremlinCalls.refusal(401, "INVALID_REFRESH_TOKEN").check(try await calls.refresh(unknown))
            let wrong = try await calls.signIn(user.address, user.password + "!")
            try GremlinCalls.refusal(401, "INVALID_CREDENTIALS").check(wrong)
        }
        await show("G14", "G16") {
            let answer = try await calls.signIn(user)
            try GremlinCalls.forbidden("FORBIDDEN", isActive: true).check(try await calls.users(answer.session.token))
        }
        await show("G18") {
            let session = try await calls.signIn(user).session
            try hold(try await calls.signOut(session.token).status == 200, "sign-out is done")
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(for: .milliseconds(100))
            try hold(try await calls.users(session.token).status == 401, "the token is refused")
            try hold(try await calls.refresh(session.refreshToken).status == 401, "the refresh token is refused")
        }
    }
}
