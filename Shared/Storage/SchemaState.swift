import Release

/// The steps that a database has.
package struct SchemaState: Sendable, Equatable {
    /// A step that was run.
    package struct Step: Sendable, Equatable {
        /// The release that ran it.
        let release: String
        /// The oldest release that works with it; empty if every one does.
        let needsRelease: String

        package init(release: String, needsRelease: String) {
            (self.release, self.needsRelease) = (release, needsRelease)
        }
    }

    private let steps: [String: Step]
    /// Whether the database has tables that the role may see, also if none of them lists steps.
    private let hasTables: Bool

    package init(steps: [String: Step], hasTables: Bool) { (self.steps, self.hasTables) = (steps, hasTables) }

    /// The columns of `schema_migrations`.
    package static let columns = ["name", "release", "needs_release"]
    /// Selects the steps.
    package static let list = SQL("SELECT \(columns.joined(separator: ", ")) FROM schema_migrations")

    /// Reads the rows of `list`.
    package init(_ rows: Rows) {
        let steps = rows.map { ($0.text(0), Step(release: $0.text(1), needsRelease: $0.text(2))) }
        self.init(steps: Dictionary(steps) { $1 }, hasTables: true)
    }

    /// Returns why a release cannot use the database as it is; `nil` if it can.
    ///
    /// - Parameter oldest: The oldest release whose databases this one upgrades.
    package func problem(
        for migrations: [Migration], release: String = Release.version, oldest: String = Release.oldestUpgraded
    ) -> SchemaProblem? {
        let current = ReleaseNumber(release)
        if let first = migrations.first?.name, hasTables, steps[first] == nil {
            guard let last = Self.newest(steps.values.map(\.release)) else { return .workingState }
            if current < ReleaseNumber(last) { return .tooNew(for: release, needs: last) }
            return ReleaseNumber(last) < ReleaseNumber(oldest)
                ? .tooOld(for: release, of: last, needs: oldest) : .workingState
        }
        if let newest = Self.newest(steps.values.map(\.needsRelease)), current < ReleaseNumber(newest) {
            return .tooNew(for: release, needs: newest)
        }
        guard let step = migrations.map(\.name).first(where: { steps[$0] == nil }) else { return nil }
        return .incomplete(for: release, lacks: hasTables ? step : nil)
    }

    private static func newest(_ releases: [String]) -> String? {
        releases.filter { !$0.isEmpty }.max { ReleaseNumber($0) < ReleaseNumber($1) }
    }
}

/// Why a release cannot use a database as it is. The description is worded to follow the database's name.
package enum SchemaProblem: Sendable, Equatable, CustomStringConvertible {
    /// The database is of a state that was never released.
    case workingState
    case tooOld(for: String, of: String, needs: String)
    case tooNew(for: String, needs: String)
    /// A migration of this release can make the step, or the whole database if there is none.
    case incomplete(for: String, lacks: String?)

    package var description: String {
        switch self {
        case .workingState: FirstStep.refusal
        case .tooOld(let release, let last, let needed):
            "was last changed by Latchkey \(last), and \(release) upgrades databases from \(needed) on. Run Latchkey \(needed) first"
        case .tooNew(let release, let needed):
            "was migrated for newer releases; this is \(release). Run Latchkey \(needed) or newer"
        case .incomplete(let release, let step):
            (step.map { "lacks the step \"\($0)\"" } ?? "does not exist, or its tables may not be read")
                + ". Run latchkeyctl database migrate of release \(release)"
        }
    }
}
