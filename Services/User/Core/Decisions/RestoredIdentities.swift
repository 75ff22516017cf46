import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle

/// Gives users the identities again that they were given after the moment to which a restore went back. The process is not ready
/// before.
struct RestoredIdentities: Service {
    private static let interval: Duration = .seconds(1)
    private static let pageMax = 100

    let queries: any UserQueries
    let store: any UserStore
    let seal: IdentitySeal
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) {
            do { while try await round() {} } catch {
                logger.warning("identities.not_restored", metadata: ["cause": "\(error)"])
            }
        }
    }

    /// Gives a page of identities.
    ///
    /// - Returns: whether there may be more.
    func round() async throws -> Bool {
        let page = try await queries.restoredIdentities(limit: Self.pageMax)
        for restored in page { try await give(restored) }
        return page.count == Self.pageMax
    }

    /// Whether none is left.
    func isDone() async -> Bool {
        do { return try await queries.restoredIdentities(limit: 1).isEmpty } catch { return false }
    }

    private func give(_ restored: RestoredIdentity) async throws {
        let now = now()
        let end = UserChange.endRestored(restored.user, sealed: restored.sealed)
        guard let identity = seal.open(restored.sealed, of: restored.user) else {
            logger.error("identities.not_opened", metadata: ["since": "\(restored.since)"])
            let question = UserQuestion(.user(restored.user), askedAt: now)
            return try await store.decide([question], now: now) { _ in Verdict((), [end]) }
        }
        let questions: [UserQuestion.Subject] = [.identities(restored.user), .identity(identity)]
        try await store.decide(questions.map { UserQuestion($0, askedAt: now) }, now: now) { facts in
            Verdict((), Self.giving(identity, restored, facts) + [end])
        }
    }

    /// The changes that give the identity, unless another user has it.
    private static func giving(
        _ identity: VerifiedIdentity, _ restored: RestoredIdentity, _ facts: [UserFacts]
    ) -> [UserChange] {
        guard facts.count == 2, facts[0].holder != nil, facts[1].holder == nil else { return [] }
        let claim: [UserChange] = facts[1].claimant == nil ? [] : [.endClaim(identity)]
        return claim + [.restoreIdentity(identity, since: restored.since, to: restored.user)]
    }
}
