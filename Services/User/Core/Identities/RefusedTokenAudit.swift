import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Audits refused identity tokens and passkeys: the first of each kind within a minute or an hour at once, all further ones as a number.
///
/// Presenting a wrong one costs a client nothing, so a client could fill the audit if each token had a record.
final class RefusedTokenAudit: Service {
    static let windowSeconds: Int64 = 60
    static let passkeyWindowSeconds: Int64 = 3600
    private static let interval: Duration = .seconds(60)

    /// A kind of refusal. There are as many as providers and rejections.
    private struct Kind: Hashable {
        let event: AuditEntry.Event
        let detail: String

        var windowSeconds: Int64 { event == .passkeyRefused ? passkeyWindowSeconds : RefusedTokenAudit.windowSeconds }
    }

    /// The refusals of one kind since its last record.
    private struct Count {
        let since: Int64
        var further = 0
    }

    private let store: any UserStore
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let counts = Mutex<[Kind: Count]>([:])

    /// - Parameter now: Unix time in seconds.
    init(store: any UserStore, now: @escaping @Sendable () -> Int64, logger: Logger) {
        self.store = store
        self.now = now
        self.logger = logger
    }

    /// Records a refused token, or counts it if one of its kind was recorded within a minute.
    ///
    /// - Throws: the error of writing the record.
    func note(_ rejection: IdentityTokenRejection, provider: String, requestID: String?) async throws {
        try await note(Kind(event: .identityTokenRefused, detail: "\(provider) \(rejection.rawValue)"), requestID)
    }

    /// Records a refused passkey, or counts it if one with the reason was recorded within an hour.
    ///
    /// - Throws: the error of writing the record.
    func note(passkey reason: String, requestID: String?) async throws {
        try await note(Kind(event: .passkeyRefused, detail: reason), requestID)
    }

    private func note(_ kind: Kind, _ requestID: String?) async throws {
        let now = now()
        let isFirst = counts.withLock { counts in
            guard counts[kind] == nil else {
                counts[kind]?.further += 1
                return false
            }
            counts[kind] = Count(since: now)
            return true
        }
        if isFirst { try await store.note([.audit(Self.entry(kind, requestID: requestID))], now: now) }
    }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await self.round() }
        await round(all: true)
    }

    /// Writes the number of further refusals in windows that are over.
    func round(all: Bool = false) async {
        let now = now()
        let over = counts.withLock { counts in
            let over = counts.filter { all || now - $0.value.since >= $0.key.windowSeconds }
            for kind in over.keys { counts[kind] = nil }
            return over
        }
        let entries = over.filter { $0.value.further > 0 }
            .map { Self.entry($0.key, further: $0.value.further) }
            .sorted { ($0.detail ?? "") < ($1.detail ?? "") }
        guard !entries.isEmpty else { return }
        do { try await store.note(entries.map { .audit($0) }, now: now) } catch {
            logger.warning("identity_tokens.audit_failed", metadata: ["cause": "\(error)"])
        }
    }

    private static func entry(_ kind: Kind, further: Int? = nil, requestID: String? = nil) -> AuditEntry {
        let detail = kind.detail + (further.map { ", \($0) more" } ?? "")
        return AuditEntry(
            event: kind.event, subject: .zero, origin: RequestOrigin(requestID: requestID), detail: detail)
    }
}
