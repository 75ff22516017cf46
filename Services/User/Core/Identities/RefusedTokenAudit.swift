import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Audits refused identity tokens: the first of each kind within a minute at once, all further ones as a number.
///
/// Presenting a wrong token costs a client nothing, so a client could fill the audit if each token had a record.
final class RefusedTokenAudit: Service {
    static let windowSeconds: Int64 = 60
    private static let interval: Duration = .seconds(60)

    /// A kind of refusal. There are as many as providers and rejections.
    private struct Kind: Hashable {
        let provider: String
        let rejection: IdentityTokenRejection
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

    /// Records a refusal, or counts it if one of its kind was recorded within a minute.
    ///
    /// - Throws: the error of writing the record.
    func note(_ rejection: IdentityTokenRejection, provider: String, requestID: String?) async throws {
        let (kind, now) = (Kind(provider: provider, rejection: rejection), now())
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
            let over = counts.filter { all || now - $0.value.since >= Self.windowSeconds }
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
        let detail = "\(kind.provider) \(kind.rejection.rawValue)" + (further.map { ", \($0) more" } ?? "")
        return AuditEntry(
            event: .identityTokenRefused, subject: .zero, origin: RequestOrigin(requestID: requestID), detail: detail)
    }
}
