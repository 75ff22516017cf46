internal import ArgumentParser
internal import AsyncHTTPClient
internal import AuthAPI
internal import Configuration
internal import FoundationEssentials
internal import InternalAPI
internal import ServiceKit

/// Where token-service is and where the operator's secrets lie.
struct OperatorOptions: ParsableArguments {
    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @Option(help: "Folder with the file assertion_control_token; default $LATCHKEY_SECRETS_DIR, or /run/secrets.")
    var secretsDir: String?

    /// Runs `body` with a connection to token-service.
    func withConnection<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "token", url: tokenURL, default: "http://127.0.0.1:8082", secretsDirectory: secretsDir, body)
    }
}

/// Where user-service is and where the operator's secrets lie.
struct UserOperatorOptions: ParsableArguments {
    @Option(help: "Address of user-service; default $USER_URL, or http://127.0.0.1:8083.")
    var userURL: String?

    @Option(help: "Folder with the file assertion_control_user; default $LATCHKEY_SECRETS_DIR, or /run/secrets.")
    var secretsDir: String?

    /// Runs `body` with a connection to user-service.
    func withConnection<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "user", url: userURL, default: "http://127.0.0.1:8083", secretsDirectory: secretsDir, body)
    }
}

/// Calls to a service as the operator.
struct OperatorConnection: Sendable {
    /// Longer than an RSA key takes to be made on a slow machine.
    static let timeout: Duration = .seconds(10)

    /// `token` or `user`.
    let service: String
    let transport: any InternalTransport

    /// Runs `body` with a connection to `service`.
    ///
    /// - Parameters:
    ///   - url: from the command line; else the environment names it, else `fallback` is taken.
    ///   - secretsDirectory: the same for the folder with the pair's key.
    static func with<Value>(
        _ service: String, url: String?, default fallback: String, secretsDirectory: String?,
        _ body: (OperatorConnection) async throws -> Value
    ) async throws -> Value {
        let environment = ConfigReader(provider: EnvironmentVariablesProvider())
        let secrets = SecretsDirectory(
            directory: secretsDirectory
                ?? environment.string(forKey: "latchkey.secrets.dir", default: "/run/secrets"),
            environment: environment)
        let urls = url ?? environment.string(forKey: ConfigKey([service, "url"]), default: fallback)
        let keys = try secrets.keyRing("assertion_control_\(service)")
        let client = makeHTTPClient()
        let transport = HTTPServiceTransport(
            service: service, baseURLs: urls.split(separator: ",").map(String.init), caller: .control, keys: keys,
            client: client, timeout: timeout)
        do {
            let value = try await body(OperatorConnection(service: service, transport: transport))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Asks for something.
    func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        try await send(InternalRequest(.get, path))
    }

    /// Has something done.
    func post(_ path: String, _ body: some Encodable) async throws {
        _ = try await post(path, body, as: Done.self)
    }

    /// Has something done, or asks with a body, and returns the answer.
    func post<Answer: Decodable>(_ path: String, _ body: some Encodable, as type: Answer.Type) async throws -> Answer {
        try await send(InternalRequest(.post, path, body: Array(try JSONEncoder().encode(body))))
    }

    private func send<Answer: Decodable>(_ request: InternalRequest) async throws -> Answer {
        let response = try await transport.send(request)
        guard (200..<300).contains(response.status) else { throw CommandFailure(description: refusal(response)) }
        return try JSONDecoder().decode(Answer.self, from: Data(response.body))
    }

    /// What the service says is wrong, for the operator.
    private func refusal(_ response: InternalResponse) -> String {
        do {
            return try JSONDecoder().decode(Problem.self, from: Data(response.body)).title
        } catch {
            return "\(service)-service answers \(response.status)"
        }
    }
}
