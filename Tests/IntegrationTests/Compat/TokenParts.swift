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
    ///
    /// - Parameters:
    ///   - name: `tokens` or `users`.
    ///   - statement: a statement in SQLite's dialect.
    @discardableResult
    func sql(_ name: String, _ statement: String) async throws -> [String] {
        if let database { return try await database.rows(of: String(name.dropLast()), Self.translated(statement)) }
        let outcome = try await Shell.run(
            "sqlite3 -cmd '.timeout 10000' \(name).sqlite \"$STATEMENT\"", in: dataDirectory,
            environment: ["STATEMENT": statement])
        try #require(outcome.isSuccess, "\(outcome.output)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// Checks that the audit of one of the databases is complete and its records are linked.
    func expectSoundAudit(of name: String) async throws {
        let command = "'\(Self.binaries)/latchkeyctl' audit verify"
        guard let database else {
            let outcome = try await Shell.run("\(command) \(name).sqlite", in: dataDirectory)
            return try #require(outcome.isSuccess && outcome.output.hasPrefix("ok "), "\(outcome.output)")
        }
        let outcome = try await Shell.run(command, in: dataDirectory, environment: database.environment)
        try #require(
            outcome.isSuccess && outcome.output.contains("latchkey_\(name.dropLast()): ok "), "\(outcome.output)")
    }

    /// Returns the statement in PostgreSQL's dialect.
    private static func translated(_ statement: String) -> String {
        statement.replacing(/x'([0-9a-f]*)'/) { "'\\x\($0.1)'" }
            .replacing(/lower\(hex\(([a-z.]+)\)\)/) { "encode(\($0.1), 'hex')" }
            .replacing("unixepoch()", with: "extract(epoch FROM now())::bigint")
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
