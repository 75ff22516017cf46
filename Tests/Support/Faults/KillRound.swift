/// One fault while many phones sign in, by codes and mails and passwords, and everything that has to hold afterwards.
package struct KillRound: Sendable {
    /// Changes to howru's policy that a stack needs for it.
    package static let policy = AccountLife.policy
    /// Every so many clients, one begins with an account.
    private static let clientsPerAccount = 2
    /// Every so many sessions of a client, one is signed out.
    private static let roadsPerLogout = 3

    private let stack: LatchkeyStack
    private let clients: Int
    private let rules: HistoryRules

    /// The result of a round.
    package struct Report: Sendable {
        /// Operations that were answered with success.
        package let acknowledged: Int
        /// From the end of the fault until all processes were ready.
        package let recovery: Duration
        /// The responses that say that a request failed at the server, by their status.
        package let failedResponses: [String: Int]
        /// The violations; empty if there are none.
        package let findings: [String]
        /// The sessions that live on.
        package let sessions: [HeldSession]
    }

    package init(_ stack: LatchkeyStack, clients: Int = 16, rules: HistoryRules = HistoryRules()) {
        self.stack = stack
        self.clients = clients
        self.rules = rules
    }

    /// Lets the clients work, does the fault after `delay`, and judges once the stack is ready again.
    package func run(_ fault: ProcessFault, after delay: Duration) async throws -> Report {
        let recorder = HistoryRecorder()
        let before = try stack.processIDs
        let accounts = try await accounts()
        let (recovery, held) = try await disturbed(fault, after: delay, accounts, recorder)
        let settled = try await settle(held, recorder)
        let operations = recorder.operations
        var findings = HistoryChecker(rules).findings(in: operations).map(\.description)
        findings += fault.findings(in: operations, since: recorder.start)
        findings += settled.lost.map { "session \($0) does not refresh" }
        findings += try stack.unexpectedRestarts(since: before, beside: fault).map { "\($0) was not to restart" }
        let check = DatabaseCheck(of: stack)
        findings += try await check.findings()
        findings += Self.missing(in: try await check.records(), held)
        return Report(
            acknowledged: operations.count { $0.outcome.isSuccess }, recovery: recovery,
            failedResponses: recorder.failedResponses, findings: findings.map { "\(fault): \($0)" },
            sessions: settled.living)
    }

    /// Refreshes sessions of earlier rounds; returns those that do not.
    package func unrefreshed(_ sessions: [HeldSession]) async throws -> [String] {
        try await settle(Roads(living: sessions), HistoryRecorder()).lost
    }

    /// The acknowledged acts that no audit record tells of.
    private static func missing(in records: DatabaseCheck.Records, _ held: Roads) -> [String] {
        let sessions = held.living + held.ended
        return sessions.filter { !records.openedSessions.contains($0.id) }.map { "no audit of the sign-in \($0.id)" }
            + held.ended.filter { !records.revokedSessions.contains($0.id) }.map { "no audit of the logout \($0.id)" }
            + sessions.filter { $0.isNewUser && !records.createdUsers.contains(String($0.user.suffix(32))) }
            .map { "no audit of the user \($0.user)" }
    }
}

// MARK: - Clients

extension KillRound {
    /// The credentials of the clients.
    private struct Roads: Sendable {
        var living: [HeldSession] = []
        var ended: [HeldSession] = []
        /// Refused, or never answered, although the stack came back.
        var lost: [String] = []

        static func + (one: Roads, other: Roads) -> Roads {
            Roads(
                living: one.living + other.living, ended: one.ended + other.ended, lost: one.lost + other.lost)
        }
    }

    /// Accounts by the number of the client whose they are.
    private func accounts() async throws -> [Int: AccountLife] {
        var accounts: [Int: AccountLife] = [:]
        for number in stride(from: 0, to: clients, by: Self.clientsPerAccount) {
            accounts[number] = try await AccountLife(in: stack)
        }
        return accounts
    }

    private func disturbed(
        _ fault: ProcessFault, after delay: Duration, _ accounts: [Int: AccountLife], _ recorder: HistoryRecorder
    ) async throws -> (Duration, Roads) {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: Roads.self) { group in
            for number in 0..<clients {
                group.addTask { try await roads(of: number, accounts[number], recorder, isOver: isOver) }
            }
            do {
                try await Task.sleep(for: delay)
                let recovery = try await stack.inflict(fault)
                isOver.set()
                return (recovery, try await group.reduce(into: Roads()) { $0 = $0 + $1 })
            } catch {
                isOver.set()
                throw error
            }
        }
    }

    /// One client's life; it begins no new road once the round is over.
    private func roads(
        of number: Int, _ account: AccountLife?, _ recorder: HistoryRecorder, isOver: Flag
    ) async throws -> Roads {
        let phone = TestPhone(number, of: stack, recorder: recorder)
        var roads = Roads()
        if let account {
            let sessions = try await account.run(on: phone)
            roads.living = sessions ?? []
            roads.lost = sessions == nil ? ["of an account with a password"] : []
        }
        var count = number
        repeat {
            guard var session = try await phone.signIn() else { continue }
            await phone.call(session)
            guard try await phone.refresh(&session) else {
                roads.lost.append(session.id)
                continue
            }
            await phone.call(session)
            count += 1
            if count % Self.roadsPerLogout == 0, try await phone.logOut(session) {
                roads.ended.append(session)
            } else {
                roads.living.append(session)
            }
        } while !isOver.isSet
        return roads
    }

    /// Refreshes every living session, and tries those that have ended; returns what the clients hold then.
    private func settle(_ held: Roads, _ recorder: HistoryRecorder) async throws -> Roads {
        try await withThrowingTaskGroup(of: Roads.self) { group in
            for number in 0..<clients {
                group.addTask { try await settle(share(number, of: held), number, recorder) }
            }
            return try await group.reduce(into: Roads(lost: held.lost)) { $0 = $0 + $1 }
        }
    }

    private func settle(_ share: Roads, _ number: Int, _ recorder: HistoryRecorder) async throws -> Roads {
        let phone = TestPhone(number, of: stack, recorder: recorder)
        var settled = Roads()
        for var session in share.living {
            if try await phone.refresh(&session) {
                await phone.call(session)
                settled.living.append(session)
            } else {
                settled.lost.append(session.id)
            }
        }
        for var session in share.ended {
            await phone.call(session)
            // The checker judges: an ended session must not refresh.
            _ = try await phone.refresh(&session)
        }
        return settled
    }

    /// Returns the sessions that one client is responsible for.
    private func share(_ number: Int, of held: Roads) -> Roads {
        func part(_ sessions: [HeldSession]) -> [HeldSession] {
            stride(from: number, to: sessions.count, by: clients).map { sessions[$0] }
        }
        return Roads(living: part(held.living), ended: part(held.ended))
    }
}
