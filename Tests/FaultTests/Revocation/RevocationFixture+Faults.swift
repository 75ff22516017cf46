import Glibc
import InternalAPI
import RedisClient
import TestSupport

extension RevocationFixture {
    /// Begins the fault, runs `body` while it lasts, and ends it.
    ///
    /// - Returns: when it was over: from then on all that is needed is there again.
    func inflict(
        _ fault: RevocationFault, _ watch: RevocationWatch, _ body: () async throws -> Void
    ) async throws -> ContinuousClock.Instant {
        switch fault {
        case .killed:
            try stack.signal("redis", SIGKILL)
            try await body()
            return try await redis.answers()
        case .killedWithoutFile: return try await killedWithoutFile(body)
        case .emptied:
            try await redis.replaced {
                try redis.removeFiles()
                try await body()
            }
            return try await redis.answers()
        case .promoted: return try await promoted(watch, body)
        case .flushed: return try await withFrozenTokenService(["FLUSHALL"], body)
        case .markDeleted: return try await withFrozenTokenService(["DEL", .text(RevocationFeed.generation)], body)
        case .paused:
            let time = fault.duration(isLong: isLong)
            let start = ContinuousClock.now
            try await redis.send(["CLIENT", "PAUSE", .integer(Int64(time / .milliseconds(1))), "ALL"])
            try await body()
            return max(.now, start + time)
        case .outOfMemory:
            return try await between(
                ["CONFIG", "SET", "maxmemory", "1"], body, ["CONFIG", "SET", "maxmemory", "128mb"])
        case .readOnly: return try await between(["REPLICAOF", "127.0.0.1", "1"], body, ["REPLICAOF", "NO", "ONE"])
        case .withoutReplicas:
            return try await between(
                ["CONFIG", "SET", "min-replicas-to-write", "1"], body, ["CONFIG", "SET", "min-replicas-to-write", "0"])
        case .wrongType:
            try await redis.send(["DEL", .text(RevocationFeed.log)])
            return try await between(
                ["SET", .text(RevocationFeed.log), "x"], body, ["DEL", .text(RevocationFeed.log)])
        case .gatewayRights, .tokenRights:
            let user: RedisArgument = fault == .tokenRights ? "token" : "gateway"
            return try await between(["ACL", "SETUSER", user, "resetkeys"], body, ["ACL", "LOAD"])
        case .trimmed:
            try await redis.send(["XTRIM", .text(RevocationFeed.log), "MAXLEN", 1])
            try await body()
            return .now
        case .frozenGateway:
            try await body()
            thawTwin(watch)
            return .now
        case .cutOff:
            proxy.swallow()
            try await body()
            proxy.release()
            return .now
        case .tokenKilled: return try await tokenKilled(watch, body)
        }
    }

    private func between(
        _ begin: [RedisArgument], _ body: () async throws -> Void, _ end: [RedisArgument]
    ) async throws -> ContinuousClock.Instant {
        try await redis.send(begin)
        try await body()
        try await redis.send(end)
        return .now
    }

    private func killedWithoutFile(_ body: () async throws -> Void) async throws -> ContinuousClock.Instant {
        // The running server stops writing; the next one has nothing to read.
        try await redis.send(["CONFIG", "SET", "appendonly", "no"])
        try redis.configure("appendonly yes", as: "appendonly no")
        try stack.signal("redis", SIGKILL)
        try await body()
        let end = try await redis.answers()
        try redis.configure("appendonly no", as: "appendonly yes")
        try await redis.send(["CONFIG", "SET", "appendonly", "yes"])
        return end
    }

    /// Runs `body` while the list cannot be completed.
    private func withFrozenTokenService(
        _ command: [RedisArgument], _ body: () async throws -> Void
    ) async throws -> ContinuousClock.Instant {
        try stack.signal("token", SIGSTOP)
        do {
            try await redis.send(command)
            try await body()
        } catch {
            try stack.signal("token", SIGCONT)
            throw error
        }
        try stack.signal("token", SIGCONT)
        return .now
    }

    /// A replica that misses what was ended last takes the master's place; afterwards the master comes back.
    private func promoted(
        _ watch: RevocationWatch, _ body: () async throws -> Void
    ) async throws -> ContinuousClock.Instant {
        let lost = try await sessions(3)
        try await redis.withReplica { replica in
            try await replica.promote()
            for session in lost.prefix(2) {
                if await !watch.logOut(session) { watch.note("a logout before the fault was not acknowledged") }
            }
            try await redis.replaced {
                try await body()
                try await replica.takePlace(of: redis)
                let end = try await redis.answers()
                try await expectRecovery(since: end, lost[2], watch)
            }
        }
        return try await redis.answers()
    }

    /// Redis takes no writes: the session has ended in SQLite when token-service dies.
    private func tokenKilled(
        _ watch: RevocationWatch, _ body: () async throws -> Void
    ) async throws -> ContinuousClock.Instant {
        let session = try await sessions(1)
        let before = stack.processID(of: "token")
        try await redis.send(["CLIENT", "PAUSE", 20_000, "WRITE"])
        let ends = EndsMeanwhile()
        try await ends.run(session, over: .zero, watch)
        try await eventually("the end is in SQLite", every: .milliseconds(5)) {
            try await DatabaseCheck(of: stack).records().revokedSessions.contains(session[0].sessionID)
        }
        try stack.signal("token", SIGKILL)
        // Its pending commands would be carried out at the end of the pause, though it no longer waits for the replies.
        try await redis.send(["CLIENT", "KILL", "USER", "token"])
        try await redis.send(["CLIENT", "UNPAUSE"])
        try await body()
        try await eventually("token-service is back") {
            let now = stack.processID(of: "token")
            guard now != nil, now != before else { return false }
            do { return try await stack.operations("token").get("/readyz").status == 200 } catch { return false }
        }
        let end = ContinuousClock.now
        await ends.finish()
        for gateway in watch.gateways.indices {
            try await eventually("gateway \(gateway) refuses what was ended half", every: .milliseconds(5)) {
                await watch.call(session[0].accessToken, at: gateway) == 401
            }
        }
        if ContinuousClock.now - end > Self.recoveryMax { watch.note("an end in SQLite alone was published too late") }
        return end
    }
}
