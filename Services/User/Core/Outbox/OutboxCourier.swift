import CallDeadlines
import InternalAPI
import Logging
import ServiceKit
import Storage
import StrictJSON

/// Delivers outbox rows to their receivers and records the outcomes.
struct OutboxCourier: Sendable {
    let store: any OutboxStore
    let tokenService: ServiceClient
    let otpService: ServiceClient
    let seal: OutboxSeal
    /// Apple's server, or `nil` if the deployment has no key for it.
    var apple: AppleServer?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Delivers the waiting messages about a user to token-service.
    ///
    /// - Returns: whether token-service has confirmed all of them; the outbox keeps trying otherwise.
    func deliverPending(about user: UserID) async throws -> Bool {
        for _ in 0..<OutboxLimits.ownBatchesMax {
            let items = try await store.pending(.token, about: user, limit: OutboxLimits.batchMax)
            for item in items { guard try await deliver(item) else { return false } }
            // After a full batch there may be more.
            guard items.count == OutboxLimits.batchMax else { return true }
        }
        return false
    }

    /// Delivers `item` to its receiver, and stores the outcome whether or not a caller still waits for it.
    ///
    /// - Returns: whether the receiver has confirmed it; if not, the row is due again later, or dropped.
    func deliver(_ item: OutboxItem) async throws -> Bool {
        guard !OutboxLimits.isOverdue(item, now: now()) else {
            try await drop(item)
            return false
        }
        let outcome: String
        do throws(DeliveryFailure) {
            outcome = try await send(item)
        } catch {
            count(item, outcome: "failed")
            logger.warning(
                "outbox.delivery_failed",
                metadata: [
                    "outbox.kind": "\(item.message.kind.rawValue)",
                    "outbox.attempts": .stringConvertible(item.attempts + 1),
                    "cause": "\(error.cause)",
                ])
            try await postpone(item)
            return false
        }
        try await CallDeadline.lifted { try await store.confirm(item) }
        count(item, outcome: outcome)
        return true
    }

    private func postpone(_ item: OutboxItem) async throws {
        let next = OutboxLimits.nextAttempt(
            item.message.kind, attempts: item.attempts + 1, createdAt: item.createdAt, now: now())
        guard let next else { return try await drop(item) }
        try await CallDeadline.lifted { try await store.postpone(item.id, until: next) }
    }

    /// Stops retrying a message. A code, or a mail for the sake of its link, which would have expired, is removed; any other message
    /// waits for the operator.
    private func drop(_ item: OutboxItem) async throws {
        let expires =
            item.message.kind == .exchangeCode
            || notice(in: item).map { $0.token != nil && !$0.kind.isOfChange } ?? false
        logger.error(
            expires ? "outbox.dropped" : "outbox.dead",
            metadata: ["outbox.id": .stringConvertible(item.id), "outbox.kind": "\(item.message.kind.rawValue)"])
        count(item, outcome: "dropped")
        try await CallDeadline.lifted {
            if expires { return try await store.confirm(item) }
            guard item.message.kind == .revokeToken else { return try await store.postpone(item.id, until: nil) }
            try await store.bury(item.id, now: now())
        }
    }

    /// Opens the notice in a row, or returns `nil` if the row has none.
    func notice(in item: OutboxItem) -> MailNotice? {
        do { return try decode(opened(item)) } catch { return nil }
    }

    /// Sends a row's message to its receiver.
    ///
    /// - Returns: the outcome, for the metric.
    private func send(_ item: OutboxItem) async throws(DeliveryFailure) -> String {
        switch item.message.kind {
        case .revokeUser:
            let request: RevokeUserRequest = try decode(Array(item.message.payload.utf8))
            try await call(tokenService, TokenOperations.revokeUser, request)
        case .changeRights:
            let request: ChangeRightsRequest = try decode(Array(item.message.payload.utf8))
            try await call(tokenService, TokenOperations.changeRights, request)
        case .removeUser:
            let request: RemoveUserRequest = try decode(Array(item.message.payload.utf8))
            try await call(tokenService, TokenOperations.removeUser, request)
        case .forgetNetworks:
            let request: ForgetNetworksRequest = try decode(opened(item))
            try await call(otpService, OTPOperations.forgetNetworks, request)
        case .notice:
            var notice: MailNotice = try decode(opened(item))
            if let link = notice.token.flatMap(LinkSecret.init) {
                // The link was used or replaced, or has expired, so the mail would be useless.
                guard let expiresAt = try await handOver(link.hash(for: notice.back?.challenge)) else { return "void" }
                if !notice.kind.isOfChange { notice.at = expiresAt }
            }
            guard try await call(otpService, OTPOperations.sendNotice, notice, unless: .notSent) else {
                return "unsent"
            }
            if notice.kind == .inactivity { try await noteTold(item.user) }
        case .exchangeCode: return try await exchange(try decode(opened(item)), item)
        case .revokeToken: return try await revoke(try decode(opened(item)), item)
        }
        return "confirmed"
    }

    private func handOver(_ link: [UInt8]) async throws(DeliveryFailure) -> Int64? {
        do { return try await store.handOver(link: link, now: now()) } catch {
            throw DeliveryFailure(cause: "the link's expiry could not be stored: \(error)")
        }
    }

    private func noteTold(_ user: UserID) async throws(DeliveryFailure) {
        do { try await store.noteTold(user, now: now()) } catch {
            throw DeliveryFailure(cause: "that the user was told could not be stored: \(error)")
        }
    }

    private func opened(_ item: OutboxItem) throws(DeliveryFailure) -> [UInt8] {
        guard let opened = seal.open(item.message, about: item.user) else {
            throw DeliveryFailure(cause: "the stored message opens with no key of user_storage_key")
        }
        return opened
    }

    /// - Parameter final: the refusal after which no later try would help.
    /// - Returns: `false` after this refusal.
    @discardableResult private func call<Body, Refusal>(
        _ service: ServiceClient, _ operation: InternalOperation<Body, Done, Refusal>, _ body: Body,
        unless final: Refusal? = nil
    ) async throws(DeliveryFailure) -> Bool {
        let outcome: OperationOutcome<Done, Refusal>
        do throws(ServiceUnavailable) {
            outcome = try await service.call(operation, body, requestID: nil)
        } catch {
            throw DeliveryFailure(cause: error.description)
        }
        guard case .refused(let refusal, _) = outcome else { return true }
        guard refusal == final else { throw DeliveryFailure(cause: "refused: \(refusal.rawValue)") }
        return false
    }

    private func decode<Body: Decodable>(_ payload: [UInt8]) throws(DeliveryFailure) -> Body {
        do { return try StrictJSON.decode(Body.self, from: payload, limits: .own) } catch {
            throw DeliveryFailure(cause: "the stored message does not decode")
        }
    }
}

/// The messages to Apple.
extension OutboxCourier {
    /// Exchanges a code and stores the refresh token.
    ///
    /// - Returns: the outcome, for the metric.
    private func exchange(_ request: CodeToExchange, _ item: OutboxItem) async throws(DeliveryFailure) -> String {
        let tokens: AppleTokens
        do throws(AppleFailure) { tokens = try await server().tokens(for: request.code) } catch {
            guard case .refused(let cause) = error else { throw DeliveryFailure(cause: error.cause) }
            logger.warning("apple.code_refused", metadata: ["cause": "\(cause)"])
            return "refused"
        }
        guard tokens.subject == request.subject else {
            logger.warning("apple.code_of_another_subject")
            return "foreign"
        }
        do {
            let token = TokenToRevoke(
                token: tokens.refreshToken, clientID: request.code.clientID, subject: request.subject)
            return try await keep(try seal.token(token, of: item.user, signedInAt: item.createdAt), item).rawValue
        } catch {
            // Apple issues no other token for the code. The user's next sign-in with Apple brings one.
            logger.error("apple.token_lost", metadata: ["cause": "\(error)"])
            return "lost"
        }
    }

    /// Stores a token. It tries again after pauses, since the code that brought the token is used up.
    private func keep(_ token: AppleToken, _ item: OutboxItem) async throws -> KeptToken {
        try await CallDeadline.lifted {
            for pause in OutboxLimits.keepPauses {
                do { return try await store.keep(token, replacing: item.id, now: now()) } catch is StorageError {
                    try await Task.sleep(for: pause)
                }
            }
            return try await store.keep(token, replacing: item.id, now: now())
        }
    }

    /// Revokes a token, unless its identity belongs to an account again. The revocation would end the consent with which its user has
    /// signed in since, so the token is kept until that account is removed.
    ///
    /// - Returns: the outcome, for the metric.
    private func revoke(_ request: TokenToRevoke, _ item: OutboxItem) async throws(DeliveryFailure) -> String {
        do {
            if let holder = try await store.holder(of: request.identity) {
                return try await keep(try seal.token(request, of: holder, signedInAt: 0), item).rawValue
            }
        } catch { throw DeliveryFailure(cause: "the identity's account is unknown: \(error)") }
        do throws(AppleFailure) { try await server().revoke(request.token, clientID: request.clientID) } catch {
            guard case .refused(let cause) = error else { throw DeliveryFailure(cause: error.cause) }
            // The token is invalid already.
            logger.warning("apple.revocation_refused", metadata: ["cause": "\(cause)"])
        }
        return "confirmed"
    }

    private func server() throws(AppleFailure) -> AppleServer {
        guard let apple else { throw .failed("the secret apple_key is missing") }
        return apple
    }
}

/// A delivery that the receiver did not confirm.
private struct DeliveryFailure: Error {
    /// The cause in the log.
    let cause: String
}
