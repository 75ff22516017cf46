import Foundation
import KeychainStandIn
import Synchronization

// What the printed code uses and the document does not print.

/// Where the server is: the program's first argument.
enum Addresses {
    static let gateway = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
}

/// The answer to a login, with the members that the printed code reads.
struct LoginResponse: Decodable {
    struct Tokens: Decodable {
        let token: String
        let refreshToken: String
    }

    static let none = LoginResponse(status: false, message: "", data: Tokens(token: "", refreshToken: ""))

    let status: Bool
    let message: String
    let data: Tokens
}

/// The app's own answer: what stands for its API greets.
struct ChargersResponse: Codable {
    let message: String
    let userId: String
}

/// The text that the app has shown last; the printed code prints it.
let shown = Mutex("")

func print(_ text: String) { shown.withLock { $0 = text } }

/// The login that the document does not print, and the calls of the printed code as tasks wait for them.
enum Calls {
    struct Refused: Error { let status: Int }

    static func logIn(_ email: String, _ password: String) async throws -> LoginResponse {
        let body = try JSONEncoder().encode(["email": email, "password": password])
        let (status, data) = try await send("POST", "/api/Auth/Login", body)
        guard status == 200 else { throw Refused(status: status) }
        return try JSONDecoder().decode(LoginResponse.self, from: data)
    }

    static func refresh() async throws -> String {
        try await withCheckedThrowingContinuation { done in
            AuthService.shared.refreshTokens { (result: Result<String, Error>) in done.resume(with: result) }
        }
    }

    static func chargers() async throws -> ChargersResponse {
        try await withCheckedThrowingContinuation { done in
            APIClient.shared.request(endpoint: "/api/chargers") { (result: Result<ChargersResponse, Error>) in
                done.resume(with: result)
            }
        }
    }

    /// Asks what stands between this program and the server to let everything through from now on.
    static func clearTheWay() async throws { _ = try await send("POST", "/compat/clear", Data()) }

    /// How many calls of this path it has seen.
    static func count(of path: String) async throws -> Int {
        let (_, data) = try await send("GET", "/compat/calls", nil)
        return try JSONDecoder().decode([String: Int].self, from: data)[path.lowercased()] ?? 0
    }

    private static func send(_ method: String, _ path: String, _ body: Data?) async throws -> (Int, Data) {
        guard let url = URL(string: Addresses.gateway + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }
}
