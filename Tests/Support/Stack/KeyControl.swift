import FoundationEssentials
package import InternalAPI
import ServiceKit

/// latchkeyctl against a stack, as its operator runs it.
package struct KeyControl: Sendable {
    private let stack: LatchkeyStack

    package init(stack: LatchkeyStack) { self.stack = stack }

    /// Returns the output and status of `latchkeyctl keys <arguments>`.
    package func run(_ arguments: String) async throws -> Shell.Outcome {
        let addresses = try ["token", "token-2"].filter { stack.processID(of: $0) != nil }
            .map { try stack.service($0).base }.joined(separator: ",")
        return try await Shell.run(
            "'\(stack.binaries)/latchkeyctl' keys \(arguments)", in: stack.dataDirectory,
            environment: ["TOKEN_URL": addresses, "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets"])
    }

    /// The keys as the service tells them.
    package func list() async throws -> [KeyFacts] {
        let answer = try await ServiceCaller(stack: stack, caller: .control).send(
            "GET", "token", KeyOperations.list.path)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET keys", answer) }
        return try answer.decoded(KeyList.self).keys
    }

    /// The `kid` that signs.
    package func signing() async throws -> String { try await list().last { $0.state == .signing }?.kid ?? "" }

    /// Retires a key over the service's port, which takes no process to start.
    ///
    /// A 503, as when the disk stalls while the other replica writes, is tried again for at most 10 s.
    package func retire(_ kid: String) async throws {
        let caller = ServiceCaller(stack: stack, caller: .control)
        try await eventually("the key is retired", every: .milliseconds(200)) {
            let answer = try await caller.post("token", KeyOperations.retire.path, RetireKeyRequest(kid: kid))
            guard [200, 503].contains(answer.status) else { throw UnexpectedAnswer(to: "retire", answer) }
            return answer.status == 200
        }
    }
}
