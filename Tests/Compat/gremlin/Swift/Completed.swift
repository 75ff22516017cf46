import Foundation
import KeychainStandIn

// What the printed code uses and the document does not print, and the calls that it prints as HTTP alone.

/// Where the server is: the program's first argument.
enum Addresses {
    static let gateway = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
}

/// The helper whose `read` the printed code calls: generic passwords by service and account.
struct KeychainHelper {
    static let standard = KeychainHelper()

    func save(_ value: String, service: String, account: String) {
        delete(service: service, account: account)
        var item = query(service, account)
        item[kSecValueData] = Data(value.utf8)
        SecItemAdd(item, nil)
    }

    func read(service: String, account: String) -> String? {
        var query = query(service, account)
        query[kSecReturnData] = true
        var result: AnyObject?
        SecItemCopyMatching(query, &result)
        return (result as? Data).flatMap { String(data: $0, encoding: .utf8) }
    }

    func delete(service: String, account: String) { SecItemDelete(query(service, account)) }

    private func query(_ service: String, _ account: String) -> CFDictionary {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }
}

struct User: Decodable {
    let id: String
    let email: String
    let role: String
    let isActive: Bool

    private enum CodingKeys: String, CodingKey {
        case id, email, role
        case isActive = "is_active"
    }
}

struct Session: Decodable {
    let token: String
    let refreshToken: String
    let expiresAt: Date
}

struct SignIn: Decodable {
    let user: User
    let session: Session
}

struct Refreshed: Decodable { let session: Session }
struct Users: Decodable { let users: [User] }

struct Refusal: Error, Decodable {
    let code: String
    let message: String
    let isActive: Bool?

    private enum CodingKeys: String, CodingKey {
        case code, message
        case isActive = "is_active"
    }
}

/// The document's HTTP calls, as tasks wait for them.
enum Calls {
    struct Unexpected: Error { let status: Int }

    static func signIn(_ email: String, _ password: String) async throws -> SignIn {
        try await post("/api/auth/sign-in-email", ["email": email, "password": password])
    }

    static func refresh(_ token: String) async throws -> Refreshed {
        try await post("/api/auth/refresh", ["refreshToken": token])
    }

    static func signOut(bearer: String) async throws {
        let (status, _) = try await send("POST", "/api/auth/sign-out", ["Authorization": "Bearer \(bearer)"], Data())
        guard status == 200 else { throw Unexpected(status: status) }
    }

    /// The printed request's answer: the users, or its status with the refusal.
    static func users() async throws -> (status: Int, users: [User], refusal: Refusal?) {
        let (status, data) = try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<(Int, Data), any Error>) in
            requestUsers { data, response, error in
                if let error { return done.resume(throwing: error) }
                done.resume(returning: ((response as? HTTPURLResponse)?.statusCode ?? 0, data ?? Data()))
            }
        }
        guard status == 200 else { return (status, [], try JSONDecoder().decode(Refusal.self, from: data)) }
        return (status, try JSONDecoder().decode(Users.self, from: data).users, nil)
    }

    private static func post<Answer: Decodable>(_ path: String, _ body: [String: String]) async throws -> Answer {
        let (status, data) = try await send(
            "POST", path, ["Content-Type": "application/json"], JSONEncoder().encode(body))
        guard status == 200 else { throw Unexpected(status: status) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Answer.self, from: data)
    }

    private static func send(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data
    ) async throws -> (Int, Data) {
        guard let url = URL(string: Addresses.gateway + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }
}
