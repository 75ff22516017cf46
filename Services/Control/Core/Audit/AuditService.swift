import ArgumentParser
import SettingNames
import TokenCore
import UserCore

/// A service with an audit.
enum AuditService: String, CaseIterable, ExpressibleByArgument, Encodable {
    case token, user

    /// The events that it records.
    var events: Set<String> {
        switch self {
        case .token: Set(AuditEvent.allCases.map(\.rawValue))
        case .user: Set(AuditEntry.Event.allCases.map(\.rawValue))
        }
    }

    /// Refuses a name that is not an event of the services.
    static func require(_ event: String, in services: [AuditService]) throws {
        let known = services.reduce(into: Set<String>()) { $0.formUnion($1.events) }
        guard !known.contains(event) else { return }
        let meant = Spelling.nearest(to: event, among: known).map { "Did you mean \($0)? " } ?? ""
        throw ValidationError(
            "--event: \"\(event)\" is not an event. \(meant)Events: \(known.sorted().joined(separator: ", "))")
    }
}
