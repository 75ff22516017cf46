import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The master that Sentinels name; it asks all of them again and again.
package final class RedisMaster: Sendable {
    /// The pause between two questions to a Sentinel: a failover is noticed within it, and four of them fit into the time for
    /// which an answer counts.
    static let interval: Duration = .milliseconds(400)
    /// The time for an answer.
    static let answerTime: Duration = .milliseconds(500)

    /// The name under which the Sentinels watch the master.
    package let name: String
    /// How to reach each Sentinel.
    package let sentinels: [RedisConfiguration]
    private let belief: Mutex<MasterBelief>

    package init(name: String, sentinels: [RedisConfiguration]) {
        self.name = name
        self.sentinels = sentinels
        belief = Mutex(MasterBelief(sentinelCount: sentinels.count))
    }

    /// The master that may be used now; `nil` while no majority of the Sentinels names one.
    package var current: RedisAddress? { belief.withLock { $0.master(at: .now) } }

    /// Whether a majority has named the master for so long that no process relies on an earlier one any more.
    package var isSettled: Bool { belief.withLock { $0.isSettled(at: .now) } }

    /// Why there is no master, in one sentence; `nil` if there is one.
    package var problem: String? {
        let (answers, quorum, master) = belief.withLock { ($0.known, $0.quorum, $0.master(at: .now)) }
        guard master == nil else { return nil }
        let fresh = answers.filter { .now - $0.sentAt < MasterBelief.window }
        let count = Set(fresh.map(\.sentinel)).count
        if count < quorum {
            return "\(count) of \(sentinels.count) Sentinels answer, and \(quorum) are needed"
        }
        if fresh.allSatisfy({ $0.master == nil }) { return "the Sentinels know no master named \(name)" }
        return "the Sentinels do not agree about the master of \(name)"
    }

    /// Asks all Sentinels until cancellation, each on its own, so that one that does not answer delays no other.
    ///
    /// - Parameter replaced: Called when they name another master than before.
    func watch(_ logger: Logger, replaced: @escaping @Sendable () -> Void) async {
        await withDiscardingTaskGroup { group in
            for index in sentinels.indices { group.addTask { await self.follow(index, logger, replaced) } }
            group.addTask { await self.report(logger) }
        }
    }

    /// Takes a Sentinel's answer, and returns whether a majority now names another master than before.
    @discardableResult private func note(_ answer: MasterBelief.Answer?, from sentinel: Int) -> Bool {
        belief.withLock { belief in
            let before = belief.majority?.master
            belief.note(answer, from: sentinel)
            let now = belief.majority?.master
            return now != nil && now != before
        }
    }
}

extension RedisMaster {
    private func follow(_ index: Int, _ logger: Logger, _ replaced: @Sendable () -> Void) async {
        var reported: RedisError?
        while !Task.isCancelled {
            do throws(RedisError) {
                try await ask(index, replaced)
            } catch {
                note(nil, from: index)
                guard !Task.isCancelled else { return }
                // Once for each cause, since the attempts that follow would fill the log.
                if reported != error { Self.log(error, of: sentinels[index], logger) }
                reported = error
            }
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    /// Asks one Sentinel on one connection until that fails.
    private func ask(_ index: Int, _ replaced: @Sendable () -> Void) async throws(RedisError) {
        let connection = try await RedisDedicatedConnection.open(
            sentinels[index], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "sentinel") { _ in SwiftLogNoOpLogHandler() })
        do throws(RedisError) {
            while true {
                if note(try await question(connection), from: index) { replaced() }
                try requireOneName(index)
                do { try await Task.sleep(for: Self.interval) } catch { throw RedisError(.cancelled, "stopped") }
            }
        } catch {
            await connection.close()
            throw error
        }
    }

    private func question(_ connection: RedisDedicatedConnection) async throws(RedisError) -> MasterBelief.Answer {
        let sentAt = ContinuousClock.now
        let name = RedisArgument(name)
        let replies = try await connection.pipeline(
            [["SENTINEL", "SENTINELS", name], ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", name], ["SENTINEL", "MYID"]],
            timeout: Self.answerTime)
        guard replies.count == 3, let identifier = try replies[2].get().text else {
            throw RedisError(.protocolViolation, "replies are missing")
        }
        try requireWholeURL(replies[0])
        return MasterBelief.Answer(
            sentinel: identifier, master: SentinelReply.master(try replies[1].get()), sentAt: sentAt, receivedAt: .now)
    }

    /// Refuses a Sentinel that the URL names twice: it is no majority by itself.
    private func requireOneName(_ index: Int) throws(RedisError) {
        guard let twin = belief.withLock({ $0.twin(of: index) }) else { return }
        throw RedisError(
            .protocolViolation, "this is the same Sentinel as \(sentinels[twin]). Name each Sentinel once in REDIS_URL")
    }

    /// A majority of the URL's Sentinels is one only if the URL names all.
    private func requireWholeURL(_ others: RedisReply) throws(RedisError) {
        // A name that the Sentinel does not know, as the other reply says.
        if case .failure(let error) = others, error.replyPrefix == "ERR" { return }
        let count = SentinelReply.othersCount(try others.get()) + 1
        guard count <= sentinels.count else {
            throw RedisError(
                .protocolViolation,
                "this Sentinel knows \(count) Sentinels of \(self.name), and the URL names \(sentinels.count). Name all of them; "
                    + "after one was removed, use SENTINEL RESET")
        }
    }
}

extension RedisMaster {
    /// Logs each change of the master, and of the reason why there is none.
    private func report(_ logger: Logger) async {
        var last: String?
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            let (master, problem) = (current?.description, problem)
            guard let state = master ?? problem, state != last else { continue }
            last = state
            if let master {
                logger.info("redis.master_found", metadata: ["redis.master": "\(name)", "redis.address": "\(master)"])
            } else {
                logger.warning("redis.no_master", metadata: ["redis.master": "\(name)", "problem": "\(state)"])
            }
        }
    }

    private static func log(_ error: RedisError, of sentinel: RedisConfiguration, _ logger: Logger) {
        logger.warning(
            "redis.sentinel_failed",
            metadata: [
                "redis.address": "\(sentinel)", "error.code": "\(error.code.rawValue)",
                "error.message": "\(error.message)",
            ])
    }
}
