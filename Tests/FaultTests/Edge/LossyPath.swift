import FoundationEssentials
import Glibc
import TestSupport

/// Loses packets of connections to one port of this machine, in both directions, or resets the connections.
struct LossyPath {
    enum Loss: String, CaseIterable {
        /// A fifth of all packets is dropped.
        case dropped
        /// One in a hundred packets to the port resets its connection.
        case reset

        fileprivate func rules(port: Int) -> [String] {
            switch self {
            case .dropped:
                ["sport", "dport"].map { "tcp \($0) \(port) numgen random mod 100 < 20 drop" }
            case .reset: ["tcp dport \(port) numgen random mod 100 < 1 reject with tcp reset"]
            }
        }
    }

    struct Failed: Error { let output: String }

    let port: Int
    private var table: String { "latchkey_test_\(getpid())_\(port)" }

    /// Whether this machine can have one, which needs root and nft.
    static var isPossible: Bool { geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/nft") }

    /// Runs `body` with the loss, and ends the loss on every path.
    func suffering<Value>(_ loss: Loss, _ body: () async throws -> Value) async throws -> Value {
        let rules = loss.rules(port: port).map { "add rule inet \(table) heard \($0)" }.joined(separator: "\n")
        try await nft(
            """
            add table inet \(table)
            add chain inet \(table) heard { type filter hook input priority 0; }
            \(rules)
            """)
        do {
            let value = try await body()
            try await nft("delete table inet \(table)")
            return value
        } catch {
            // Not cancelled with the test, whose rules would stay on the machine.
            try await Task { try await nft("delete table inet \(table)") }.value
            throw error
        }
    }

    private func nft(_ commands: String) async throws {
        let outcome = try await Shell.run("/usr/sbin/nft -f - <<'END'\n\(commands)\nEND", in: "/")
        guard outcome.isSuccess else { throw Failed(output: outcome.output) }
    }
}
