import ClientReport
import Foundation

/// An administrator and a user without rights at the printed client, and what the document says of them.
struct Life {
    let report = Report()
    private let keychain = KeychainHelper.standard

    /// The token under the printed service and account.
    private var token: String? {
        get { keychain.read(service: "auth_token", account: "gremlin") }
        nonmutating set {
            guard let newValue else { return keychain.delete(service: "auth_token", account: "gremlin") }
            keychain.save(newValue, service: "auth_token", account: "gremlin")
        }
    }

    func whole(_ administrator: (String, String), _ user: (String, String)) async {
        await report.statement("G12 G23", "without a token the printed request is 401") {
            let answer = try await Calls.users()
            return answer.status == 401 && answer.refusal?.code.isEmpty == false
        }
        await report.statement("G2 G4 G5 G6 G11 G23", "the session's token, read from the Keychain, opens the list") {
            let answer = try await signIn(administrator)
            let users = try await Calls.users()
            return answer.user.email == administrator.0 && answer.user.role == "admin" && users.status == 200
                && users.users.contains { $0.id == answer.user.id && $0.email == administrator.0 && $0.isActive }
        }
        await refresh(administrator)
        await report.statement("G14 G16 G17", "a user without the role is 403, and can see that he is active") {
            let answer = try await signIn(user)
            let users = try await Calls.users()
            return answer.user.isActive && users.status == 403 && users.refusal?.code == "FORBIDDEN"
                && users.refusal?.isActive == true
        }
        await report.statement("G18", "after sign-out the token opens nothing on the server") {
            let signedIn = try await signIn(administrator)
            try await Calls.signOut(bearer: signedIn.session.token)
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(nanoseconds: 100_000_000)
            let status = try await Calls.users().status
            token = nil
            return status == 401
        }
    }

    private func refresh(_ administrator: (String, String)) async {
        await report.statement("G8 G25", "the refresh token brings another token that opens the list") {
            let first = try await signIn(administrator).session
            let second = try await Calls.refresh(first.refreshToken).session
            token = second.token
            let status = try await Calls.users().status
            return second.token != first.token && second.refreshToken != first.refreshToken
                && abs(second.expiresAt.timeIntervalSinceNow - 3600) < 30 && status == 200
        }
    }

    /// The server's clock is moved past the token's end.
    func expiry(_ administrator: (String, String)) async {
        await report.statement("G7 G12 G25", "after an hour the token is 401, and a refresh brings a good one") {
            let session = try await signIn(administrator).session
            guard try await Calls.users().status == 200 else { return false }
            try await moveClock(to: 3601)
            guard try await Calls.users().status == 401 else { return false }
            token = try await Calls.refresh(session.refreshToken).session.token
            return try await Calls.users().status == 200
        }
    }

    /// Signs in, and keeps the token as the printed code reads it.
    private func signIn(_ user: (String, String)) async throws -> SignIn {
        let answer = try await Calls.signIn(user.0, user.1)
        token = answer.session.token
        return answer
    }

    /// Has the server's processes live so many seconds ahead; they look every second.
    private func moveClock(to seconds: Int) async throws {
        guard let file = ProcessInfo.processInfo.environment["COMPAT_CLOCK"] else { throw CocoaError(.fileNoSuchFile) }
        try "+\(seconds)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try await Task.sleep(nanoseconds: 2_000_000_000)
    }
}
