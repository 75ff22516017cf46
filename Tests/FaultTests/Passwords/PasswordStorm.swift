import TestSupport

/// One user whose password becomes another in the midst of logins, refreshes and calls, and what lives afterwards.
struct PasswordStorm: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// In a session, which is spared.
        case change
        /// By a link; nothing is spared.
        case reset
    }

    private static let (old, new) = ("correct horse battery", "quite another one")
    /// Sessions that are open when it begins, and how often each refreshes and calls.
    private static let (sessions, refreshes) = (6, 6)
    /// Logins with the old password meanwhile.
    private static let logins = 20

    let stack: LatchkeyStack

    /// Runs a storm and returns the violations; empty if there are none.
    func run(_ kind: Kind, _ fault: ProcessFault?, seed: UInt64) async throws -> [String] {
        let recorder = HistoryRecorder()
        let phone = TestPhone(0, of: stack, recorder: recorder)
        let address = LatchkeyStack.freshAddress()
        let sessions = try await begin(address, phone)
        guard let spared = sessions.first else { return ["nobody could log in"] }
        let link = kind == .reset ? try await PlantedLink(.reset, for: address, in: stack) : nil
        let change: @Sendable () async throws -> Bool = {
            guard let link else {
                return try await phone.changePassword(of: address, from: Self.old, to: Self.new, in: spared)
            }
            return try await phone.setPassword(Self.new, of: address, by: link)
        }
        let (isChanged, held) = try await disturbed(address, sessions, phone, fault, seed, change)
        try await stack.untilReady()
        var findings = isChanged ? [] : ["the new password was never acknowledged"]
        findings += try await afterwards(held, address, phone, living: kind == .change ? [spared.id] : [])
        findings += HistoryChecker().findings(in: recorder.operations).map(\.description)
        findings += try await DatabaseCheck(of: stack).findings()
        return findings.map { "\(kind) amid \(fault?.description ?? "no fault"): \($0)" }
    }

    /// Registers, confirms and logs in on some devices.
    private func begin(_ address: String, _ phone: TestPhone) async throws -> [HeldSession] {
        _ = try await stack.register(address, password: Self.old)
        let link = try await PlantedLink(.confirm, for: address, in: stack)
        guard try await phone.setPassword(Self.old, of: address, by: link) else { return [] }
        var sessions: [HeldSession] = []
        while sessions.count < Self.sessions {
            guard let session = try await untilAnswered({ try await phone.logIn(address, Self.old) }) ?? nil
            else {
                return []
            }
            sessions.append(session)
        }
        return sessions
    }

    /// Does all at once; returns whether the change was acknowledged, and what clients hold then.
    private func disturbed(
        _ address: String, _ sessions: [HeldSession], _ phone: TestPhone, _ fault: ProcessFault?, _ seed: UInt64,
        _ change: @escaping @Sendable () async throws -> Bool
    ) async throws -> (Bool, [HeldSession]) {
        var generator = SeededGenerator(seed: seed)
        let (changeAt, faultAt) = (generator.milliseconds(50...300), generator.milliseconds(0...500))
        return try await withThrowingTaskGroup(of: (Bool, [HeldSession]).self) { group in
            for session in sessions { group.addTask { (false, [try await used(session, phone)]) } }
            for _ in 0..<Self.logins {
                let at = generator.milliseconds(0...600)
                group.addTask {
                    try await Task.sleep(for: at)
                    return (false, [try await phone.logIn(address, Self.old) ?? nil].compactMap { $0 })
                }
            }
            group.addTask {
                try await Task.sleep(for: changeAt)
                return (try await change(), [])
            }
            if let fault {
                group.addTask {
                    try await Task.sleep(for: faultAt)
                    _ = try await stack.inflict(fault)
                    return (false, [])
                }
            }
            return try await group.reduce((false, [])) { ($0.0 || $1.0, $0.1 + $1.1) }
        }
    }

    /// Refreshes and calls, until that is refused.
    private func used(_ session: HeldSession, _ phone: TestPhone) async throws -> HeldSession {
        var session = session
        for _ in 0..<Self.refreshes {
            guard try await phone.refresh(&session) else { return session }
            await phone.call(session)
        }
        return session
    }

    private func afterwards(
        _ held: [HeldSession], _ address: String, _ phone: TestPhone, living: Set<String>
    ) async throws -> [String] {
        var refreshed: Set<String> = []
        for session in held {
            var session = session
            if try await phone.refresh(&session) { refreshed.insert(session.id) }
            await phone.call(session)
        }
        let new = try await untilAnswered { try await phone.logIn(address, Self.new) } ?? nil
        let old = try await untilAnswered { try await phone.logIn(address, Self.old) } ?? nil
        return (refreshed == living ? [] : ["\(refreshed.count) sessions live, and \(living.count) were to"])
            + (new == nil ? ["the new password does not log in"] : [])
            + (old == nil ? [] : ["the old password logs in"])
    }
}
