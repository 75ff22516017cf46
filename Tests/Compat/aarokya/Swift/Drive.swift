import ClientReport
import Foundation
import KeychainStandIn

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The tokens that the printed lines under "Usage" save: those of a sign-in that the caller has made.
let refreshToken = ProcessInfo.processInfo.environment["AAROKYA_REFRESH_TOKEN"] ?? ""
let accessToken = ProcessInfo.processInfo.environment["AAROKYA_ACCESS_TOKEN"] ?? ""

/// Sees what the printed lines have saved, and lives on what they load: compat-aarokya GATEWAY.
enum Drive {
    private static let keys = ["aarokya_access_token", "aarokya_refresh_token"]

    static func run() async {
        let report = Report()
        await report.statement("A31", "both tokens are loaded as they were saved, for this device when unlocked") {
            let items = Keychain.items.sorted { $0.account < $1.account }
            return items.map(\.account) == keys
                && items.allSatisfy { $0.accessible == kSecAttrAccessibleWhenUnlockedThisDeviceOnly }
                && loadFromKeychain(key: keys[0]) == accessToken && loadFromKeychain(key: keys[1]) == refreshToken
                && loadFromKeychain(key: "another") == nil
        }
        await report.statement("A10", "the loaded access token opens the profile") {
            let (status, profile) = try await send("GET", "/user/profile", bearer: loadFromKeychain(key: keys[0]))
            return status == 200 && profile["id"] is String && profile["phone_number"] is String
        }
        await report.statement("A14 A31", "the loaded refresh token brings a pair that takes the place of the old") {
            let old = loadFromKeychain(key: keys[1]) ?? ""
            let (status, pair) = try await send("POST", "/auth/token/refresh", ["refresh_token": old])
            guard status == 200, let access = pair["access_token"] as? String,
                let refresh = pair["refresh_token"] as? String
            else { return false }
            saveToKeychain(key: keys[0], value: access)
            saveToKeychain(key: keys[1], value: refresh)
            return Keychain.items.count == 2 && loadFromKeychain(key: keys[1]) == refresh && refresh != old
        }
        exit(report.isGood ? 0 : 1)
    }

    private static func send(
        _ method: String, _ path: String, _ body: [String: String]? = nil, bearer: String? = nil
    ) async throws -> (status: Int, [String: Any]) {
        guard let url = URL(string: CommandLine.arguments[1] + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONEncoder().encode($0) }
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let members = try JSONSerialization.jsonObject(with: Spoiling.spoiled(data)) as? [String: Any]
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, members ?? [:])
    }
}
