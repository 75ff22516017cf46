import CryptoPrimitives
import InternalAPI
import StrictJSON
import TestSupport
import Testing

/// The contents of an access token, not verified.
struct TokenParts {
    let header: JSONValue
    let claims: JSONValue

    init(_ token: String) throws {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3, "an access token has three parts")
        let limits = StrictJSON.Limits(bytesMax: 8192, depthMax: 8)
        header = try StrictJSON.parse(try #require(Base64URL.decode(parts[0])), limits: limits)
        claims = try StrictJSON.parse(try #require(Base64URL.decode(parts[1])), limits: limits)
    }

    /// Seconds between `iat` and `exp`.
    var lifetime: Int64? {
        guard let begin = claims["iat"]?.integerValue, let end = claims["exp"]?.integerValue else { return nil }
        return end - begin
    }
}

extension LatchkeyStack {
    /// Changes a user's role, or deactivates or reactivates them, like the operator.
    func change(_ user: String, role: String? = nil, isActive: Bool? = nil) async throws {
        let answer = try await ServiceCaller(stack: self, caller: .control).post(
            "user", UserOperations.change.path, ChangeUserRequest(userID: user, role: role, isActive: isActive))
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// Returns a statement's result from one of the databases, one line per row.
    func sql(_ database: String, _ statement: String) async throws -> [String] {
        let outcome = try await Shell.run(
            "sqlite3 -cmd '.timeout 10000' \(database).sqlite \"$STATEMENT\"", in: dataDirectory,
            environment: ["STATEMENT": statement])
        try #require(outcome.isSuccess, "\(outcome.output)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// A condition on the session whose good refresh token this is: its row has the token's SHA-256.
    static func row(of refreshToken: String) throws -> String {
        let bytes = try #require(Hex.decode(refreshToken.suffix(64)))
        return "current_hash = x'\(Hex.encode(SHA256.hash(bytes)))'"
    }

    /// Sees that none of these texts stands in a log, and that there are logs.
    func expectNoLog(of secrets: [String]) throws {
        let logs = try Trace.files(in: dataDirectory) { $0.hasPrefix("log/") }
        try #require(logs.contains { !$0.bytes.isEmpty })
        for log in logs {
            for secret in secrets { try #require(!Canary(secret).stands(in: log.bytes), "a secret is in \(log.name)") }
        }
    }
}
