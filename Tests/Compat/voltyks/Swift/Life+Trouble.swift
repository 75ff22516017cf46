import Foundation
import KeychainStandIn

/// Failures of networks and servers that a client meets.
extension Life {
    /// The first refresh fails, by whatever stands in the way; then nothing does.
    func trouble() async {
        await signIn()
        await report.statement("V39", "a refresh that fails for now leaves the tokens where they are") {
            let before = saved
            do { _ = try await Calls.refresh() } catch { return saved == before && !isAtLogin }
            return false
        }
        await report.statement("V39", "the next refresh works") {
            let before = saved
            try await Calls.clearTheWay()
            return try await Calls.refresh() == saved["accessToken"] && saved["refreshToken"] != before["refreshToken"]
        }
    }

    /// The answer to the first refresh is lost: the document's one-time use ends the session at the next.
    func lostAnswer() async {
        await signIn()
        await report.statement("V14", "after a lost answer the tokens are there, and the next refresh is a mismatch") {
            let before = saved
            do { _ = try await Calls.refresh() } catch AuthError.sessionExpired { return false } catch {
                guard saved == before else { return false }
                try await Calls.clearTheWay()
                do { _ = try await Calls.refresh() } catch AuthError.sessionExpired { return saved.isEmpty }
            }
            return false
        }
    }

    /// Two calls refresh at once with the one token: one of them is a mismatch, and clears what the other may have saved.
    func twoAtOnce() async {
        await signIn()
        await report.statement("V14", "of two refreshes at once one works, and the other is a mismatch") {
            async let first = outcome()
            async let second = outcome()
            return await Set([first, second]) == ["refreshed", "sessionExpired"]
        }
    }

    private func outcome() async -> String {
        do { _ = try await Calls.refresh() } catch { return "\(error)" }
        return "refreshed"
    }

    /// The app's API refuses every access token: one refresh, one retry, and no more.
    func refusedTwice() async {
        await signIn()
        await report.statement("V22", "a call that is refused again is not made a third time") {
            let before = saved
            do { _ = try await Calls.chargers() } catch is DecodingError {
                let counts = (
                    try await Calls.count(of: "/api/chargers"), try await Calls.count(of: "/api/Auth/RefreshToken")
                )
                return counts == (2, 1) && saved.count == 4 && saved["refreshToken"] != before["refreshToken"]
            }
            return false
        }
    }

    /// The server's clock is moved past the end of the access token, then of the refresh token.
    func expiry() async {
        await signIn()
        await report.statement("V33", "once the access token has expired the next call refreshes it") {
            let before = saved
            _ = try await Calls.chargers()
            guard saved == before else { return false }
            try await moveClock(to: 1801)
            _ = try await Calls.chargers()
            return saved.count == 4 && saved["accessToken"] != before["accessToken"]
        }
        await report.statement("V33 V36", "once the refresh token has expired the login is shown") {
            try await moveClock(to: 1801 + 604_801)
            screen.loadChargers()
            return try await comes { isAtLogin } && saved.isEmpty
        }
    }

    /// Has the server's processes live so many seconds ahead; they look every second.
    private func moveClock(to seconds: Int) async throws {
        guard let file = ProcessInfo.processInfo.environment["COMPAT_CLOCK"] else { throw CocoaError(.fileNoSuchFile) }
        try "+\(seconds)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try await Task.sleep(nanoseconds: 2_000_000_000)
    }
}
