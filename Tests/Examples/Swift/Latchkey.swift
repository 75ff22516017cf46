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
    /// The network or the server is away: everything is kept, try again later.
    case tryLater
    /// A limit is reached (429): everything is kept, try again after so many seconds.
    case tooMany(seconds: Int?)
    /// Any other refusal, with its status and its code: 400 `invalid_phone`, 403 `account_inactive`, 409 `deletion_scheduled` …
    case refused(status: Int, code: String?)
}

public actor Latchkey {
    public typealias Send = @Sendable (URLRequest) async throws -> (Data, URLResponse)
    public typealias Answer = (status: Int, body: Data)

    private let base: String
    private let store: any Store
    private let send: Send
    private var rotation: Task<Kept, any Error>?

    public init(base: String, store: any Store, send: @escaping Send = { try await URLSession.shared.data(for: $0) }) {
        self.base = base
        self.store = store
        self.send = send
    }

    /// Has a code sent to the phone, e.g. +15551234567. A new `attempt` sends another message.
    public func requestCode(_ phoneNumber: String, attempt: String = UUID().uuidString) async throws {
        _ = try await post("/auth/otp/request", ["phoneNumber": phoneNumber], key: attempt)
    }

    /// Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session.
    public func signIn(_ phoneNumber: String, code: String, attempt: String = UUID().uuidString) async throws {
        struct SignedIn: Decodable { var tokens: Kept }
        do {
            let body = try await post("/auth/otp/verify", ["phoneNumber": phoneNumber, "code": code], key: attempt)
            try await store.write(JSONDecoder().decode(SignedIn.self, from: body).tokens)
        } catch LatchkeyError.refused(status: 401, code: _) { throw LatchkeyError.codeRefused }
    }

    /// Calls your API through the gateway, once more with new tokens if the gateway refuses the old one. A body is JSON unless
    /// `headers` say otherwise.
    public func call(
        _ path: String, method: String = "GET", headers: [String: String] = [:], body: Data? = nil
    ) async throws -> Answer {
        let kept = try await signedIn()
        let answer = try await callOnce(path, method, headers, body, kept)
        return answer.status == 401 ? try await callOnce(path, method, headers, body, renew(kept)) : answer
    }

    /// Ends the session. The tokens are gone from here in any case; an error says that the server has not heard of it.
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
        do {
            let body = try await post("/auth/refresh", ["refreshToken": kept.refreshToken], key: key)
            let renewed = try JSONDecoder().decode(Kept.self, from: body)
            try await store.write(renewed)
            return renewed
        } catch LatchkeyError.refused(let status, _) where status == 401 || status == 403 {
            try await store.write(nil)
            throw LatchkeyError.signedOut
        }
    }

    private func signedIn() async throws -> Kept {
        guard let kept = try await store.read() else { throw LatchkeyError.signedOut }
        return kept
    }

    private func callOnce(
        _ path: String, _ method: String, _ headers: [String: String], _ body: Data?, _ kept: Kept
    ) async throws -> Answer {
        let json = body == nil ? [:] : ["Content-Type": "application/json"]
        let token = ["Authorization": "Bearer \(kept.accessToken)"]
        return try await answer(path, method, json.merging(headers) { $1 }.merging(token) { $1 }, body)
    }

    /// Sends a request of our own; any status but 200 is an error.
    private func post(_ path: String, _ body: [String: String], key: String? = nil) async throws -> Data {
        struct Problem: Decodable { var code: String?, error: String?, retryAfter: Int? }
        var headers = ["Content-Type": "application/json"]
        headers["Idempotency-Key"] = key
        let (status, data) = try await answer(path, "POST", headers, JSONEncoder().encode(body))
        if status == 200 { return data }
        let problem = try? JSONDecoder().decode(Problem.self, from: data)
        if status == 429 { throw LatchkeyError.tooMany(seconds: problem?.retryAfter) }
        // A 401 alone says something about the session; an outage never does.
        if status >= 500 { throw LatchkeyError.tryLater }
        throw LatchkeyError.refused(status: status, code: problem?.code ?? problem?.error)
    }

    private func answer(
        _ path: String, _ method: String, _ headers: [String: String], _ body: Data?
    ) async throws -> Answer {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await send(request) } catch { throw LatchkeyError.tryLater }
        guard let status = (response as? HTTPURLResponse)?.statusCode else { throw LatchkeyError.tryLater }
        return (status, data)
    }
}
