import Foundation
import InternalAPI
import Testing

/// The operations declare which process may call which; secrets are made for these pairs and no others.
@Suite struct PairTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Key operations are token-service's, those on accounts, identities and the outbox user-service's.
    private static let services = [
        "Token": "token", "Key": "token", "User": "user", "Admin": "user", "Account": "user", "Identity": "user",
        "Outbox": "user", "Passkey": "user", "SecondFactor": "user",
        "Event": "user", "Client": "user", "State": "token",
        "OTP": "otp",
        "Inbox": "inbox",
    ]

    private func declared() throws -> Set<String> {
        var pairs: Set<String> = []
        for operation in try WireExamples.all() {
            let service = try #require(Self.services[String(operation.name.prefix { $0 != "." })])
            pairs.formUnion(operation.callers.map { "assertion_\($0.rawValue)_\(service)" })
        }
        return pairs
    }

    /// The supervisor and deploy/secrets make the same ones (`ComposeTests`).
    @Test func `compose has secrets for the pairs that the operations declare`() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docker-compose.yml"), encoding: .utf8)
        let made = text.matches(of: /assertion_[a-z]+_[a-z]+/).map { String($0.output) }
        #expect(Set(made) == (try declared()))
    }

    @Test func `each declaration has a golden file`() throws {
        let folder = Self.root.appending(path: "Shared/InternalAPI/Operations")
        var declared = 0
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            declared += text.matches(of: /static let \w+ = InternalOperation</).count
        }
        #expect(declared == (try WireExamples.all().count))
    }
}
