import NIOCore
import Synchronization

/// Cuts connections to PostgreSQL around their COMMIT, while it is on: one commit of several, by turns before and after it
/// takes effect, and by turns in order (FIN) and with a reset.
package final class CommitCutter: Sendable {
    /// The kind of change that a transaction makes.
    package enum Change: Sendable { case signIn, refresh, identity, other }

    struct Cut: Sendable {
        /// Whether the server never receives the COMMIT; else the client never receives the server's reply.
        let isBefore: Bool
        let isReset: Bool
    }

    private struct State {
        var isOn = false
        var commits = 0
        var cuts: [Change: Int] = [:]
    }

    /// One of so many commits is cut.
    private static let commitsPerCut = 4

    private let state = Mutex(State())

    package init() {}

    /// The number of cuts of some changes so far.
    private func count(of changes: Set<Change>) -> Int {
        state.withLock { state in changes.reduce(0) { $0 + state.cuts[$1, default: 0] } }
    }

    /// The numbers of cuts by the kinds of their changes.
    package var counts: [Change: Int] { state.withLock { $0.cuts } }

    /// Cuts until there are `count` more cuts of some changes.
    package func cut(_ count: Int, of changes: Set<Change> = [.signIn, .refresh]) async throws {
        let goal = self.count(of: changes) + count
        state.withLock { $0.isOn = true }
        defer { state.withLock { $0.isOn = false } }
        try await eventually("\(count) commits are cut", within: .seconds(120)) { self.count(of: changes) >= goal }
    }

    /// Returns how the next commit is cut, or `nil`.
    func next(_ change: Change) -> Cut? {
        state.withLock { state in
            guard state.isOn else { return nil }
            state.commits += 1
            guard state.commits % Self.commitsPerCut == 0 else { return nil }
            state.cuts[change, default: 0] += 1
            let turn = state.commits / Self.commitsPerCut
            return Cut(isBefore: turn % 2 == 0, isReset: turn / 2 % 2 == 0)
        }
    }

    /// The commit failed by itself.
    func failed(_ change: Change) { state.withLock { $0.cuts[change, default: 0] -= 1 } }
}

/// The cuts of one connection. Stays on the event loop of its relays.
final class ConnectionCutter {
    private let cutter: CommitCutter
    private var requests = PostgreSQLMessages(ofClient: true)
    private var replies = PostgreSQLMessages(ofClient: false)
    /// The texts of the prepared statements, by their names.
    private var statements: [String: String] = [:]
    private var transaction: [String] = []
    /// The cut that waits for the server's reply.
    private var awaited: (cut: CommitCutter.Cut, change: CommitCutter.Change)?

    init(_ cutter: CommitCutter) { self.cutter = cutter }

    /// Returns the cut that is due among bytes of the client, and the number of bytes that pass before.
    func cut(inRequests bytes: ByteBuffer) -> (CommitCutter.Cut, count: Int)? {
        for message in requests.add(bytes) {
            switch (message.kind, message.texts) {
            case (UInt8(ascii: "P"), let texts) where texts.count > 1: statements[texts[0]] = texts[1]
            case (UInt8(ascii: "B"), let texts) where texts.count > 1:
                let statement = statements[texts[1]] ?? ""
                if statement.hasPrefix("BEGIN") { transaction = [] }
                transaction.append(statement)
                guard statement == "COMMIT", let cut = cutter.next(change) else { continue }
                if cut.isBefore { return (cut, message.start) }
                awaited = (cut, change)
            default: continue
            }
        }
        return nil
    }

    /// Returns the cut that is due among bytes of the server, and the number of bytes that pass before.
    func cut(inReplies bytes: ByteBuffer) -> (CommitCutter.Cut, count: Int)? {
        for message in replies.add(bytes) {
            guard let (cut, change) = awaited else { continue }
            if message.kind == UInt8(ascii: "C"), message.texts.first == "COMMIT" { return (cut, message.start) }
            if message.kind == UInt8(ascii: "Z") {
                awaited = nil
                cutter.failed(change)
            }
        }
        return nil
    }

    private var change: CommitCutter.Change {
        if transaction.contains(where: Self.changesIdentities) { return .identity }
        if transaction.contains(where: { $0.contains("INSERT INTO sessions") || $0.contains("INSERT INTO resolutions") }
        ) {
            return .signIn
        }
        return transaction.contains { $0.contains("UPDATE sessions AS s") } ? .refresh : .other
    }

    /// Whether a user gets or loses an identity, a passkey or a second factor or uses one, or a later change begins or ends.
    private static func changesIdentities(_ statement: String) -> Bool {
        [
            "INSERT INTO decisions", "INSERT INTO pending_changes", "UPDATE pending_changes",
            "DELETE FROM pending_changes", "INSERT INTO passkeys", "UPDATE passkeys", "INSERT INTO totp",
        ].contains { statement.contains($0) }
    }
}
