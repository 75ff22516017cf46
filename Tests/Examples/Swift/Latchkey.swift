import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The values that the app keeps between two starts: one item of the Keychain, `AfterFirstUnlockThisDeviceOnly`.
public struct Kept: Codable, Equatable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    /// The Idempotency-Key of a refresh that was sent and not yet answered.
    public var refreshKey: String?
}

/// A value passed to `write` must be there after the app was killed.
public protocol Store: Sendable {
    func read() async throws -> Kept?
    func write(_ kept: Kept?) async throws
}

public enum LatchkeyError: Error, Equatable {
    /// The code is wrong or too old.
    case codeRefused
    /// The user is no longer signed in: show the sign-in page.
    case signedOut
    /// The network or the server is away or asks to wait (429, 503): everything is kept, try again later.
    case tryLater
    case unexpected(status: Int)
}

public actor Latchkey {
    public typealias Send = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    private let base: String
    private let store: any Store
    private let send: Send
    private var rotation: Task<Kept, any Error>?

    public init(base: String, store: any Store, send: @escaping Send = { try await URLSession.shared.data(for: $0) }) {
        self.base = base
        self.store = store
        self.send = send
    }

    /// Has a code sent to the phone, e.g. +15551234567.
    public func requestCode(_ phoneNumber: String) async throws {
        let (status, _) = try await post("/auth/otp/request", ["phoneNumber": phoneNumber])
        guard status == 200 else { throw LatchkeyError.unexpected(status: status) }
    }

    /// Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session.
    public func signIn(_ phoneNumber: String, code: String, attempt: String = UUID().uuidString) async throws {
        struct Answer: Decodable { var tokens: Kept }
        let body = ["phoneNumber": phoneNumber, "code": code]
        let (status, data) = try await post("/auth/otp/verify", body, key: attempt)
        guard status == 200 else { throw LatchkeyError.codeRefused }
        try await store.write(JSONDecoder().decode(Answer.self, from: data).tokens)
    }

    /// Calls your API through the gateway, once more with new tokens if the gateway refuses the old one.
    public func call(_ path: String, method: String = "GET", body: Data? = nil) async throws -> (status: Int, Data) {
        let kept = try await signedIn()
        let answer = try await callOnce(path, method, body, kept)
        return answer.status == 401 ? try await callOnce(path, method, body, renew(kept)) : answer
    }

    /// Ends the session. The tokens are gone from here in any case; `tryLater` says that the server has not heard of it.
    public func signOut() async throws {
        _ = await rotation?.result
        let kept = try await store.read()
        try await store.write(nil)
        if let kept { _ = try await post("/auth/logout", ["refreshToken": kept.refreshToken]) }
    }

    /// New tokens in place of `refused`: one refresh at a time, shared by all calls that wait for it.
    private func renew(_ refused: Kept) async throws -> Kept {
        if let rotation { return try await rotation.value }
        let task = Task { try await rotate(refused) }
        rotation = task
        defer { rotation = nil }
        return try await task.value
    }

    private func rotate(_ refused: Kept) async throws -> Kept {
        var kept = try await signedIn()
        if kept.accessToken != refused.accessToken { return kept }  // Another call has been faster.
        let key = kept.refreshKey ?? UUID().uuidString
        if kept.refreshKey == nil {
            // Kept before it is sent. If the answer is lost, even with the app killed meanwhile, the repeat must bear the
            // same key: it gets the same tokens, and the server does not take the second use of the old token for theft.
            kept.refreshKey = key
            try await store.write(kept)
        }
        let (status, data) = try await post("/auth/refresh", ["refreshToken": kept.refreshToken], key: key)
        if status == 401 || status == 403 {
            try await store.write(nil)
            throw LatchkeyError.signedOut
        }
        guard status == 200 else { throw LatchkeyError.unexpected(status: status) }
        let renewed = try JSONDecoder().decode(Kept.self, from: data)
        try await store.write(renewed)
        return renewed
    }

    private func signedIn() async throws -> Kept {
        guard let kept = try await store.read() else { throw LatchkeyError.signedOut }
        return kept
    }

    private func callOnce(
        _ path: String, _ method: String, _ body: Data?, _ kept: Kept
    ) async throws -> (
        status: Int, Data
    ) {
        var request = try request(path, method)
        request.setValue("Bearer \(kept.accessToken)", forHTTPHeaderField: "Authorization")
        request.httpBody = body
        return try await answer(request)
    }

    private func post(_ path: String, _ body: [String: String], key: String? = nil) async throws -> (status: Int, Data)
    {
        var request = try request(path, "POST")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        request.httpBody = try JSONEncoder().encode(body)
        return try await answer(request)
    }

    private func request(_ path: String, _ method: String) throws -> URLRequest {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        return request
    }

    /// A 401 alone says something about the session; an outage never does.
    private func answer(_ request: URLRequest) async throws -> (status: Int, Data) {
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await send(request) } catch { throw LatchkeyError.tryLater }
        guard let status = (response as? HTTPURLResponse)?.statusCode, status != 429, status < 500 else {
            throw LatchkeyError.tryLater
        }
        return (status, data)
    }
}
