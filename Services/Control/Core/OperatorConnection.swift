import ArgumentParser
import AsyncHTTPClient
import Configuration
import FoundationEssentials
import InternalAPI
import OutgoingConnections
import ServiceCalls
import ServiceKit

/// The address of token-service and the folder of the operator's secrets.
struct OperatorOptions: ParsableArguments {
    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @Option(
        help: "The folder with the secret file assertion_control_token; default $LATCHKEY_SECRETS_DIR, or /run/secrets."
    )
    var secretsDir: String?

    /// Runs `body` with a connection to token-service.
    @discardableResult
    func withConnection<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "token", url: tokenURL, secretsDirectory: secretsDir, body)
    }
}

/// The address of user-service and the folder of the operator's secrets.
struct UserOperatorOptions: ParsableArguments {
    @Option(help: "Address of user-service; default $USER_URL, or http://127.0.0.1:8083.")
    var userURL: String?

    @Option(
        help: "The folder with the secret file assertion_control_user; default $LATCHKEY_SECRETS_DIR, or /run/secrets.")
    var secretsDir: String?

    /// Runs `body` with a connection to user-service.
    @discardableResult
    func withConnection<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "user", url: userURL, secretsDirectory: secretsDir, body)
    }
}

/// The address of otp-service and the folder of the operator's secrets.
struct CodeOperatorOptions: ParsableArguments {
    @Option(help: "Address of otp-service; default $OTP_URL, or http://127.0.0.1:8081.")
    var otpURL: String?

    @Option(
        help: "The folder with the secret file assertion_control_otp; default $LATCHKEY_SECRETS_DIR, or /run/secrets.")
    var secretsDir: String?

    /// Runs `body` with a connection to otp-service.
    @discardableResult
    func withConnection<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "otp", url: otpURL, secretsDirectory: secretsDir, body)
    }
}

/// Calls to a service as the operator.
struct OperatorConnection: Sendable {
    private let client: ServiceClient
    /// The address of the service, for messages.
    private let address: String

    /// Runs `body` with a connection to `service`.
    ///
    /// - Parameters:
    ///   - url: The address on the command line; `nil` for that in the environment, or its default.
    ///   - secretsDirectory: The folder with the pair's key, in the same way.
    static func with<Value>(
        _ service: String, url: String?, secretsDirectory: String?,
        _ body: (OperatorConnection) async throws -> Value
    ) async throws -> Value {
        let environment = ConfigReader(provider: EnvironmentVariablesProvider())
        let secrets = SecretsDirectory(
            directory: secretsDirectory
                ?? environment.string(forKey: "latchkey.secrets.dir", default: "/run/secrets"),
            environment: environment)
        let urls = try environment.serviceURLs("\(service.uppercased())_URL", given: url)
        let authorities = try environment.internalAuthorities()
        let keys = try secrets.keyRing("assertion_control_\(service)")
        let client = makeHTTPClient()
        let transport = HTTPServiceTransport(
            service: service, baseURLs: urls, caller: .control, operatorName: OperatorName.current, keys: keys,
            client: client, authorities: authorities)
        do {
            let value = try await body(
                OperatorConnection(service: service, transport: transport, address: urls.joined(separator: ",")))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// - Parameter service: `otp`, `token` or `user`.
    init(service: String, transport: any InternalTransport, address: String) {
        self.address = address
        client = ServiceClient(service: service, transport: transport)
    }

    /// Calls an operation and returns its response.
    ///
    /// - Throws: `CommandFailure` with the service's refusal, in words for the operator.
    @discardableResult
    func call<Request, Answer, Refusal>(
        _ operation: InternalOperation<Request, Answer, Refusal>, _ request: Request
    ) async throws -> Answer {
        switch try await outcome(operation, request) {
        case .answer(let answer): return answer
        case .refused(_, let title): throw CommandFailure(description: title)
        }
    }

    /// Calls an operation and returns its response or refusal.
    func outcome<Request, Answer, Refusal>(
        _ operation: InternalOperation<Request, Answer, Refusal>, _ request: Request
    ) async throws -> OperationOutcome<Answer, Refusal> {
        do throws(ServiceUnavailable) { return try await client.call(operation, request, requestID: nil) } catch {
            throw CommandFailure(
                description:
                    "\(error.service)-service does not respond at \(address) (\(error.reason)). Does it run, and is "
                    + "\(error.service.uppercased())_URL right?")
        }
    }
}
