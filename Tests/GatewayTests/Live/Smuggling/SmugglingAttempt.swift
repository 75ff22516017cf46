import NIOCore
import TestSupport

/// Sends messages through a proxy and judges, by the same rules for each proxy, whether any harm is done.
struct SmugglingAttempt: Sendable {
    private static let pollInterval: Duration = .milliseconds(4)
    /// The control is expected to leave a victim without an answer.
    private var endLimit: Duration { isControl ? .seconds(10) : Patience.limit }

    let proxy: SocketAddress
    let upstream: RecordingUpstream
    /// The control ends no connection: there it is enough that all bytes have been passed on.
    var isControl = false

    /// The error in a proxy's treatment of one message.
    enum Harm: Sendable {
        /// It was not answered with one refusal.
        case notRefused
        case notClosed
        /// The upstream has taken something of it for a request, or for a part of one: its requests' first lines.
        case reachedUpstream([String])
        /// Somebody else's request was not answered, or with another one's answer.
        case victimHarmed
    }

    /// An upstream that answers each request with its first line.
    static func upstream() async throws -> RecordingUpstream {
        try await RecordingUpstream.start { request, _ in
            .reply("HTTP/1.1 200 OK\r\nContent-Length: \(request.line.utf8.count)\r\n\r\n\(request.line)")
        }
    }

    /// Sends the message, then a victim's request on a connection of its own.
    func harm(of message: SmuggledMessage, number: Int) async throws -> Harm? {
        let before = (requests: upstream.requests.count, bytes: upstream.receivedByteCount)
        let client = try await RawClient.connect(to: proxy)
        for piece in message.pieces { await client.send(piece) }
        try await settle(client, message, bytesBefore: before.bytes)
        let statuses = client.statuses
        let hasEnded = client.hasEnded
        await client.close()
        guard hasEnded else { return .notClosed }
        let refusals = message.firstLine == nil ? statuses[...] : statuses.dropFirst()
        guard message.firstLine == nil || statuses.first == "200", refusals.count == 1,
            refusals.allSatisfy({ $0.hasPrefix("4") || $0.hasPrefix("50") })
        else { return .notRefused }
        let victim = "GET /victim\(number) HTTP/1.1"
        guard try await isServed(victim) else { return .victimHarmed }
        let lines = upstream.requests.dropFirst(before.requests).map(\.line)
        return lines == [message.firstLine, victim].compactMap { $0 } ? nil : .reachedUpstream(lines)
    }

    /// Waits until there is no more to come.
    private func settle(_ client: RawClient, _ message: SmuggledMessage, bytesBefore: Int) async throws {
        do {
            try await eventually("the end", within: endLimit, every: Self.pollInterval) {
                client.hasEnded || (isControl && upstream.receivedByteCount >= bytesBefore + message.byteCount)
            }
        } catch is NeverTrue { return }
    }

    private func isServed(_ line: String) async throws -> Bool {
        let victim = try await RawClient.connect(to: proxy)
        await victim.send("\(line)\r\nHost: a\r\n\r\n")
        let answer = "\r\n\r\n" + line
        do {
            try await eventually("an answer", within: endLimit, every: Self.pollInterval) {
                victim.hasEnded || victim.received.hasSuffix(answer)
            }
        } catch is NeverTrue { return false }
        let received = victim.received
        await victim.close()
        return received.hasPrefix("HTTP/1.1 200 ") && received.hasSuffix(answer) && victim.answerCount == 1
    }
}
