import InternalAPI

// Judges the states of the services: what is wrong with each part, and what it keeps the deployment from.

extension AdminToday {
    /// The age of the gateway's copy of the list beyond which revocations take effect too late.
    private static let lagMillisecondsMax: Int64 = 1_000
    /// The age of the continuous copy beyond which the copier does not keep up, as in the alerts.
    private static let copySecondsMax: Int64 = 60
    private static let budgetNearPercent: Int64 = 80

    /// - Parameters:
    ///   - gateway: The state of this process.
    ///   - at: Unix time in seconds.
    init(_ report: TodayReport, gateway: ServiceState, at: Int64) {
        let states = [("gateway", gateway), ("user", report.user), ("token", report.token), ("otp", report.otp)]
        let known = states.compactMap { name, state in state.map { (name, $0) } }
        let databases = [report.user, report.token].compactMap(\.self)
        self.at = at
        circuits = report.otp.map(AdminCircuit.all)
        revocationLagMilliseconds = gateway.figure("auth_revocation_replica_age_seconds", times: 1_000)
        unpublishedRevocations = report.token?.figure("auth_revocations_unpublished")
        limits = known.flatMap { AdminLimit.all(of: $1, part: $0) }
        keys = report.token?.keys.map { AdminKeys($0).keys }
        lastBackupAt = databases.compactMap { $0.figure("sqlite_backup_age_seconds") }.max().map { at - $0 }
        lastCopyAt = databases.compactMap { $0.figure("sqlite_copy_age_seconds") }.max().map { at - $0 }
        spend = report.spend.map(AdminSpend.init)
        parts = states.map { name, state in
            AdminPart(name: name, problems: Self.problems(of: state, name, report))
        }
    }

    private static func problems(of state: ServiceState?, _ name: String, _ report: TodayReport) -> [AdminProblem] {
        guard let state else { return [AdminProblem(code: .unreachable, detail: nil)] }
        var problems = state.problems.map { AdminProblem(code: .notReady, detail: $0) }
        if state.policyHash != report.user.policyHash { problems.append(.init(code: .policyDiffers, detail: nil)) }
        if state.figure("sqlite_copy_age_seconds") ?? 0 > copySecondsMax {
            problems.append(.init(code: .copyOld, detail: nil))
        }
        if state.figure("auth_revocation_replica_age_seconds", times: 1_000) ?? 0 > lagMillisecondsMax {
            problems.append(.init(code: .revocationsLate, detail: nil))
        }
        if state.figure("auth_revocations_unpublished") ?? 0 > 0 {
            problems.append(.init(code: .revocationsUnpublished, detail: nil))
        }
        if name == "token" { problems += keyProblems(state.keys) }
        if name == "otp" { problems += circuitProblems(state) + budgetProblems(report.spend) }
        return problems
    }

    private static func keyProblems(_ list: KeyList?) -> [AdminProblem] {
        guard let list else { return [] }
        let signing = Set(list.keys.filter { $0.state == .signing }.map(\.algorithm))
        return list.algorithms.filter { !signing.contains($0) }.map { AdminProblem(code: .noSigningKey, detail: $0) }
    }

    private static func circuitProblems(_ state: ServiceState) -> [AdminProblem] {
        AdminCircuit.all(of: state).filter { $0.state != .closed }.map {
            AdminProblem(code: .circuitOpen, detail: "\($0.provider) \($0.channel)")
        }
    }

    private static func budgetProblems(_ report: GuardReport?) -> [AdminProblem] {
        (report?.rows ?? []).compactMap { row in
            let used = max(percent(row.spentThisHour, of: row.hourBudget), percent(row.spentToday, of: row.dayBudget))
            guard used >= budgetNearPercent else { return nil }
            return AdminProblem(code: used >= 100 ? .budgetUsed : .budgetNear, detail: row.row)
        }
    }

    /// The part of a budget that is used. Nothing is left of a budget of 0.
    private static func percent(_ spent: Int64, of budget: Int64?) -> Int64 {
        guard let budget else { return 0 }
        guard budget > 0 else { return 100 }
        let (product, overflow) = spent.multipliedReportingOverflow(by: 100)
        return overflow ? 100 : product / budget
    }
}

extension AdminToday.AdminPart {
    fileprivate init(name: String, problems: [AdminToday.AdminProblem]) {
        let codes = Set(problems.map(\.code))
        let state: State =
            if codes.contains(.unreachable) {
                .missing
            } else if !codes.isDisjoint(with: [.notReady, .noSigningKey, .budgetUsed]) {
                .failing
            } else {
                codes.isEmpty ? .ok : .warning
            }
        self.init(name: name, state: state, problems: problems)
    }
}

extension AdminToday.AdminCircuit {
    /// The circuits of otp-service, by provider and channel.
    fileprivate static func all(of state: ServiceState) -> [Self] {
        state.figures.filter { $0.metric == "auth_provider_circuit_state" }.map { figure in
            Self(
                provider: figure.labels["provider"] ?? "", channel: figure.labels["channel"] ?? "",
                state: figure.value == 0 ? .closed : figure.value == 1 ? .trying : .open)
        }
        .sorted { ($0.provider, $0.channel) < ($1.provider, $1.channel) }
    }
}

extension AdminToday.AdminLimit {
    /// The limits of a part that have refused something, by rule.
    fileprivate static func all(of state: ServiceState, part: String) -> [Self] {
        let figures = state.figures.filter { $0.metric == "auth_rate_limited_total" && $0.value > 0 }
        let byRule = Dictionary(grouping: figures) { $0.labels["rule"] ?? "" }
        return byRule.sorted { $0.key < $1.key }.map { rule, figures in
            Self(part: part, rule: rule, refused: Int64(clamping: figures.reduce(0) { $0 + $1.value }))
        }
    }
}

extension ServiceState {
    /// The greatest value of a metric, or `nil` if the service does not have it.
    fileprivate func figure(_ metric: String, times factor: Double = 1) -> Int64? {
        figures.filter { $0.metric == metric }.map(\.value).max().map { Int64(clamping: $0 * factor) }
    }
}

extension Int64 {
    /// The nearest number below; the bounds for what is beyond them, and 0 for no number.
    fileprivate init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(exactly: value.rounded(.down)) ?? (value < 0 ? .min : .max)
    }
}
