import FoundationEssentials
import InternalAPI
import ServiceKit
import TestSupport

/// latchkeyctl against a stack, as its operator runs it.
struct KeyControl {
    let stack: LatchkeyStack

    /// What `latchkeyctl keys <arguments>` printed and how it ended.
    func run(_ arguments: String) async throws -> Shell.Outcome {
        let addresses = try ["token", "token-2"].filter { stack.processID(of: $0) != nil }
            .map { try stack.service($0).base }.joined(separator: ",")
        return try await Shell.run(
            "'\(LatchkeyStack.binaries)/latchkeyctl' keys \(arguments)", in: stack.dataDirectory,
            environment: ["TOKEN_URL": addresses, "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets"])
    }

    /// The keys as the service tells them.
    func list() async throws -> [KeyFacts] {
        let answer = try await ServiceCaller(stack: stack, caller: .control).send("GET", "token", KeyContract.listPath)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET keys", answer) }
        return try answer.decoded(KeyList.self).keys
    }

    /// The `kid` that signs.
    func signing() async throws -> String { try await list().last { $0.state == .signing }?.kid ?? "" }

    /// Retires a key over the service's port, which takes no process to start.
    func retire(_ kid: String) async throws {
        let answer = try await ServiceCaller(stack: stack, caller: .control)
            .post("token", KeyContract.retirePath, RetireKeyRequest(kid: kid))
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "retire", answer) }
    }
}
