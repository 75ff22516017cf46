import AccessTokens

/// The cost of a refresh through another dialect, or by cookie, relative to the native one: one stack, and a policy in which
/// both dialects have the same profile.
struct DialectsBench: Sendable {
    /// Processes whose CPU is compared: what a refresh costs Redis does not depend on how it is spelt.
    private static let charged = ["gateway", "token"]
    /// The number of sessions of each dialect.
    private static let sessionCount = 1000

    /// The call that is compared with the native dialect's.
    let call: RefreshCall
    let pairCount: Int
    /// The number of rotations in one round.
    let rotationCount: Int
    let connectionCount: Int

    /// Has both dialects refresh in turn, and compares them pair by pair.
    func run() async throws -> [Figure] {
        try await ScratchFolder.run("dialects") { folder in
            let policy = try RefreshPolicy(.HS256, speaking: call, in: folder)
            return try await StackUnderLoad.run(name: "bench-dialects", environment: policy.environment) { load in
                let database = try SessionDatabase(of: load.stack, policy: try policy.policy)
                let others = Self.sessionCount..<2 * Self.sessionCount
                let sessions =
                    call.isByCookie
                    ? try await RefreshingStack.signIn(others, by: call, connections: connectionCount, to: load)
                    : try await database.fill(others, dialect: call.dialect)
                let ofNative = try await database.fill(0..<Self.sessionCount)
                return try await RefreshingStack.with(load, ofNative, connections: connectionCount) { native in
                    try await RefreshingStack.with(load, sessions, connections: connectionCount, call: call) { other in
                        figures(
                            try await Pairs.run(pairCount) { _ in
                                try await other.round(rotationCount, charged: Self.charged)
                            } theirs: { _ in
                                try await native.round(rotationCount, charged: Self.charged)
                            })
                    }
                }
            }
        }
    }

    /// The cost of each dialect, and how much more the other one costs.
    ///
    /// - Parameter pairs: `ours` went through `call`, `theirs` through the native dialect.
    func figures(_ pairs: Pairs) -> [Figure] {
        let all =
            Rounds.spread(pairs.theirs).under("native") + Rounds.spread(pairs.ours)
            + pairs.worse(["cpu.total": call.boundRatio]).under("ratio")
        return all.under("dialects.\(call.name)")
    }
}
