import ClientReport
import Foundation
import KeychainStandIn

/// One user of the printed client, and what the document says of it.
struct Life {
    let email: String
    let password: String
    let report = Report()
    let screen = ChargersScreen()

    /// The values that the printed code has saved, by its keys.
    var saved: [String: String] {
        ["accessToken", "refreshToken", "accessTokenExpiry", "refreshTokenExpiry"].reduce(into: [:]) {
            $0[$1] = KeychainHelper.get($1)
        }
    }

    /// Logs in, refreshes, and is signed out by a token that was used.
    func whole() async {
        await keychain()
        await signIn()
        await refresh()
        await chargers()
        await mismatch()
    }

    func signIn() async {
        await report.statement("V17 V23 V31", "login saves both tokens of the answer") {
            KeychainHelper.clearAll()
            screen.response = try await Calls.logIn(email, password)
            screen.login(email: email, password: password)
            return screen.response.status && saved["accessToken"]?.split(separator: ".").count == 3
                && saved["refreshToken"] == screen.response.data.refreshToken && saved.count == 2
        }
    }

    private func keychain() async {
        await report.statement("V19", "KeychainHelper saves, replaces, gets and deletes, and clears all four") {
            KeychainHelper.save("one", forKey: "accessToken")
            KeychainHelper.save("two", forKey: "accessToken")
            guard KeychainHelper.get("accessToken") == "two", Keychain.items.count == 1 else { return false }
            KeychainHelper.delete("accessToken")
            guard KeychainHelper.get("accessToken") == nil else { return false }
            for key in ["accessToken", "refreshToken", "accessTokenExpiry", "refreshTokenExpiry", "mine"] {
                KeychainHelper.save(key, forKey: key)
            }
            KeychainHelper.clearAll()
            defer { KeychainHelper.delete("mine") }
            return Keychain.items.map(\.account) == ["mine"]
        }
        await report.statement("V21", "the errors have the printed texts") {
            let errors: [AuthError] = [.noRefreshToken, .noData, .sessionExpired]
            return errors.map(\.localizedDescription) == [
                "No refresh token found", "No data received", "Session expired, please login again",
            ]
        }
    }

    private func refresh() async {
        await report.statement("V18 V20 V32", "refreshTokens saves four new values, and the new token goes on") {
            for _ in 0..<2 {
                let old = saved
                let token = try await Calls.refresh()
                guard token == saved["accessToken"], saved.count == 4, token.split(separator: ".").count == 3,
                    saved.allSatisfy({ !$1.isEmpty && (old[$0] != $1 || $0.hasSuffix("Expiry")) }),
                    lifetimes(1800, 604_800)
                else { return false }
            }
            return true
        }
    }

    /// Whether the saved times are so many seconds ahead, as UTC.
    private func lifetimes(_ access: TimeInterval, _ refresh: TimeInterval) -> Bool {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        return [("accessTokenExpiry", access), ("refreshTokenExpiry", refresh)].allSatisfy { key, seconds in
            guard let text = saved[key], text.count == 19, let time = format.date(from: text) else { return false }
            return abs(time.timeIntervalSinceNow - seconds) < 30
        }
    }

    private func chargers() async {
        await report.statement("V22 V36", "a call with a bad access token refreshes it and is made again") {
            let good = try await Calls.chargers()
            let old = saved
            KeychainHelper.save("bad", forKey: "accessToken")
            let again = try await Calls.chargers()
            return good.userId == again.userId && saved["refreshToken"] != old["refreshToken"]
                && saved["accessToken"] != old["accessToken"]
        }
        await report.statement("V23", "what was loaded is shown") {
            screen.loadChargers()
            return try await comes { shown.withLock { $0.hasPrefix("Chargers: ") } } && !isAtLogin
        }
    }

    private func mismatch() async {
        await report.statement("V14 V20 V32 V36", "a used token clears all four values, and the login is shown") {
            let used = saved["refreshToken"] ?? ""
            _ = try await Calls.refresh()
            KeychainHelper.save(used, forKey: "refreshToken")
            KeychainHelper.save("bad", forKey: "accessToken")
            screen.loadChargers()
            return try await comes { isAtLogin } && saved.isEmpty
        }
        await report.statement("V21", "without a token refreshTokens says so") {
            do { _ = try await Calls.refresh() } catch AuthError.noRefreshToken { return true }
            return false
        }
    }

    var isAtLogin: Bool { screen.isAtLogin.withLock { $0 } }

    /// Waits a few seconds for a state that the printed code does not report in another way.
    func comes(_ isSo: () -> Bool) async throws -> Bool {
        for _ in 0..<250 where !isSo() { try await Task.sleep(nanoseconds: 20_000_000) }
        return isSo()
    }
}
