import AccessTokens
import InternalAPI
import Logging
import Storage

/// An operator's changes of signing keys besides the schedule. Each change is durable, audited, and known to the gateways before
/// the response.
struct KeyRotation: Sendable {
    /// The greatest number of live keys. Verifiers accept no more than 64, secrets included.
    static let keyCountMax = 32
    /// The time after which the gateways know of a new key and the replicas sign with the right one. The gateways hear of changes
    /// within 100 ms, and the replicas check every `KeyWatch.interval`, which is half of it.
    static let settleTime: Duration = .milliseconds(KeyPublication.settleMilliseconds)

    let keys: SigningKeys
    let publisher: RevocationPublisher
    let feed: any RevocationFeedWriter
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// Waits for a duration; does not wait in tests.
    let pause: @Sendable (Duration) async throws -> Void
    let logger: Logger

    private var rule: KeyRule { keys.rule }

    /// Lists all keys that are not gone, oldest first, and the file's secrets.
    func list() async throws -> KeyList {
        let stored = try await keys.store.load().map(facts)
        let secrets = keys.secrets.enumerated().map { index, key in
            KeyFacts(kid: key.keyID, algorithm: key.algorithm.rawValue, state: index == 0 ? .signing : .retiring)
        }
        return KeyList(algorithms: rule.algorithms.map(\.rawValue), keys: stored + secrets)
    }

    /// Publishes a successor now, which signs after the lead time or, on request, at once.
    ///
    /// A repeat with the same `kid` completes an interrupted call.
    func rotate(_ request: RotateKeyRequest) async throws {
        let algorithm = try algorithm(request.algorithm)
        try await addStandby(algorithm, kid: request.kid, usesWaiting: request.now)
        guard request.now else { return await announceOrLeaveToTimer() }
        try await feed.announceKeys()
        try await promoteStandby(of: algorithm)
    }

    /// Publishes a key that was made elsewhere, which signs after the lead time.
    func importKey(_ request: ImportKeyRequest) async throws {
        let algorithm = try algorithm(request.algorithm)
        let key: SigningKey
        do throws(KeyError) {
            key = try SigningKey(keyID: request.kid, algorithm: algorithm, privateKeyPEM: request.pem)
        } catch { throw InvalidInput(error.description) }
        if let known = keys.current.verification[request.kid] {
            // A second import of a key repeats a call whose response was lost.
            guard known.jwk == key.verificationKey.jwk else { throw KeyRefusal.nameIsTaken(request.kid) }
        } else {
            try await add(try keys.record(key, .published, now: now()), as: .keyImported)
        }
        await announceOrLeaveToTimer()
    }

    /// Retires a key at once. If it signs, its successor becomes the signing key first, so that no new token is refused.
    func retire(_ request: RetireKeyRequest) async throws {
        guard let state = try await keys.store.state(of: request.kid) else {
            guard keys.current.verification[request.kid] == nil else { throw KeyRefusal.isInFile(request.kid) }
            throw KeyRefusal.unknown(request.kid)
        }
        if state == .signing { await replace(request.kid) }
        if state != .gone { try await end(request.kid) }
        try await publisher.publishKeys()
    }

    private func end(_ kid: String) async throws {
        let now = now()
        try await keys.store.end(kid, now: now)
        // A key must sign, even if no successor could be made before.
        if try await !keys.doWhatIsDue(now: now) { try await keys.reload() }
    }

    /// Makes the successor of a lost key the signing one. A failure here must not delay the emergency.
    private func replace(_ kid: String) async {
        do {
            guard let algorithm = try await keys.store.load().first(where: { $0.keyID == kid })?.algorithm,
                rule.algorithms.contains(algorithm)
            else { return }
            try await addStandby(algorithm, kid: SigningKeys.randomKeyID(), usesWaiting: true)
            try await feed.announceKeys()
            try await promoteStandby(of: algorithm)
            // A replica that has not checked yet signs with the old key for a moment longer.
            try await pause(Self.settleTime)
        } catch {
            logger.warning("keys.replacement_failed", metadata: ["error": "\(error)"])
        }
    }

    /// Publishes a key, unless one waits already and may take its place.
    private func addStandby(_ algorithm: SignatureAlgorithm, kid: String, usesWaiting: Bool) async throws {
        let waits = try await keys.store.load().contains { $0.algorithm == algorithm && $0.state == .published }
        if usesWaiting, waits { return }
        if try await keys.store.state(of: kid) != nil { return }
        guard keys.current.verification[kid] == nil else { throw KeyRefusal.isInFile(kid) }
        do {
            try await add(try keys.newKey(kid, algorithm, .published, now: now()), as: .keyPublished)
        } catch let error as KeyError {
            throw InvalidInput(error.description)
        } catch KeyRefusal.nameIsTaken {
            // This very call arrived twice at once, through two replicas, and the other one is ahead.
            try await keys.reload()
        }
    }

    private func add(_ key: SigningKeyRecord, as event: AuditEvent) async throws {
        try await Decision.untilItHolds { () async throws -> Attempt<Void> in
            let present = try await keys.store.load()
            guard try await keys.store.state(of: key.keyID) == nil else { throw KeyRefusal.nameIsTaken(key.keyID) }
            guard present.count < Self.keyCountMax else { throw KeyRefusal.tooMany }
            let waiting = present.first { $0.algorithm == key.algorithm && $0.state == .published }
            if let waiting { throw KeyRefusal.isUnderWay(waiting.keyID) }
            let added = KeyChange.add(key, as: event)
            return try await keys.store.apply([added], on: present, now: key.stateSince).yielding(())
        }
        try await keys.reload()
    }

    /// Makes the waiting key the signing one, once every gateway has heard that there is one.
    private func promoteStandby(of algorithm: SignatureAlgorithm) async throws {
        try await pause(Self.settleTime)
        let now = now()
        try await Decision.untilItHolds { () async throws -> Attempt<Void> in
            let present = try await keys.store.load()
            let standby = present.first { $0.algorithm == algorithm && $0.state == .published }
            guard let standby else { return .held(()) }
            let changes = try rule.promotion(of: standby, among: present).map { try keys.change($0, now: now) }
            return try await keys.store.apply(changes, on: present, now: now).yielding(())
        }
        try await keys.reload()
    }

    /// Announces a key that signs only after the lead time. If it fails, the gateways still fetch the key in time.
    private func announceOrLeaveToTimer() async {
        do { try await feed.announceKeys() } catch {
            logger.warning("keys.not_announced", metadata: ["error": "\(error)"])
        }
    }

    private func algorithm(_ name: String) throws -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: name), rule.algorithms.contains(algorithm) else {
            let used = rule.algorithms.map(\.rawValue).joined(separator: ", ")
            throw InvalidInput("no profile of the policy signs with that algorithm and a stored key; used: \(used)")
        }
        return algorithm
    }

    private func facts(_ key: SigningKeyRecord) -> KeyFacts {
        KeyFacts(
            kid: key.keyID, algorithm: key.algorithm.rawValue, state: key.state, stateSince: key.stateSince,
            createdAt: key.createdAt, nextStateAt: rule.nextChange(of: key))
    }
}
