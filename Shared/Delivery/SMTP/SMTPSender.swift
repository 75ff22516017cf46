package import Curl
import EmailAddresses
import NIOPosix
import OutgoingConnections
import Synchronization

/// Sends mail through a mail server, with libcurl on a few threads of its own (integration guide 2.2).
package final class SMTPSender: MessageSender {
    /// The number of mails sent at once, and of connections.
    private static let threadCount = 8
    /// The part of the time limit that is reserved to report which reply did not come.
    private static let reportTime: Duration = .milliseconds(200)

    package let provider = "smtp"
    package let abilities = SenderAbilities.mail
    private let server: SMTPServer
    private let from: MailFrom
    private let curl: CurlLibrary
    private let tries: SendTries
    private let now: @Sendable () -> Int64
    private let threads = NIOThreadPool(numberOfThreads: threadCount)
    private let idle = Mutex<[Connection]>([])

    /// - Parameter now: Unix time in seconds.
    /// - Throws: `CurlLibrary.Missing` if libcurl is not installed.
    package init(
        _ server: SMTPServer, from: MailFrom, tries: SendTries = ResendSender.tries,
        now: @escaping @Sendable () -> Int64
    ) throws(CurlLibrary.Missing) {
        curl = try CurlLibrary()
        self.server = server
        self.from = from
        self.tries = tries
        self.now = now
        threads.start()
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let text = MailText(from: from, message: message, sentAt: now())
        let bytes = try text.bytes()
        return try await tries { limit in await attempt(bytes, message, within: limit) }
    }

    /// Makes one attempt, which returns in time even if the server blocks the thread.
    private func attempt(_ mail: [UInt8], _ message: Message, within limit: Duration) async -> SendVerdict {
        let deadline = ContinuousClock.now + limit
        let (verdicts, verdict) = AsyncStream.makeStream(of: SendVerdict.self)
        threads.submit { [self] state in
            let isActive = state == .active
            verdict.yield(isActive ? send(mail, message, until: deadline) : .failed(Self.noThread))
        }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            verdict.yield(.failed(Self.noThread))
        }
        defer { timer.cancel() }
        return await verdicts.first { _ in true } ?? .failed(DeliveryFailure(connection: .timedOut))
    }

    /// The failure if all threads are waiting for the server.
    private static var noThread: DeliveryFailure {
        var failure = DeliveryFailure(connection: .connectTimedOut)
        failure.detail = "\(threadCount) mails at once wait for the server"
        return failure
    }

    /// Sends on the calling thread and blocks it.
    private func send(_ mail: [UInt8], _ message: Message, until deadline: ContinuousClock.Instant) -> SendVerdict {
        // All threads may have been busy with a slow server until now.
        let left = Int((deadline - .now - Self.reportTime) / .milliseconds(1))
        guard left > 0, let connection = take() else {
            return .retry(afterSeconds: 0, DeliveryFailure(connection: .connectTimedOut))
        }
        defer { giveBack(connection) }
        let dialogue = connection.send(mail, from: from.address.text, to: message.recipient, within: left)
        return .ofSMTP(
            dialogue, id: message.id, recipient: message.recipient, secrets: server.credentials?.spellings ?? [])
    }

    /// Takes the most recently used connection, which is the most likely to be still open.
    private func take() -> SMTPConnection? {
        idle.withLock { $0.popLast() }?.inner ?? SMTPConnection(to: server, by: curl)
    }

    private func giveBack(_ connection: SMTPConnection) {
        let connection = Connection(inner: connection)
        idle.withLock { $0.append(connection) }
    }

    /// A connection is used only by the thread that removed it from the list.
    private struct Connection: @unchecked Sendable {
        let inner: SMTPConnection
    }
}
