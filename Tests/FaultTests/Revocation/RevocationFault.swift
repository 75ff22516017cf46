import FoundationEssentials

/// A fault of Redis, of the connection to it, of a gateway or of token-service.
enum RevocationFault: String, CaseIterable, Sendable {
    case killed = "Redis killed, its file synced every second"
    case killedWithoutFile = "Redis killed, without a file"
    case emptied = "Redis replaced by an empty one"
    case promoted = "a replica promoted with a lost tail"
    case flushed = "FLUSHALL while token-service is frozen"
    case markDeleted = "rev:generation deleted while token-service is frozen"
    case paused = "CLIENT PAUSE"
    case outOfMemory = "Redis full"
    case readOnly = "Redis read-only"
    case withoutReplicas = "Redis without the replicas that it needs"
    case wrongType = "rev:log of another type"
    case gatewayRights = "the gateways' rights taken"
    case tokenRights = "token-service's rights taken"
    case trimmed = "the stream trimmed past a stopped gateway"
    case frozenGateway = "a gateway stopped and continued"
    case cutOff = "a gateway cut off from Redis"
    case tokenKilled = "token-service killed between SQLite and Redis"

    /// `LATCHKEY_FAULTS` names nothing, or what does not exist.
    struct Unknown: Error { let name: String }

    /// The faults that `LATCHKEY_FAULTS` names, separated by commas; all without it.
    static func chosen() throws(Unknown) -> [RevocationFault] {
        let names = ProcessInfo.processInfo.environment["LATCHKEY_FAULTS"]?.split(separator: ",").map(String.init)
        guard let names else { return allCases }
        guard !names.isEmpty else { throw Unknown(name: "") }
        var chosen: [RevocationFault] = []
        for name in names {
            guard let fault = allCases.first(where: { "\($0)" == name }) else { throw Unknown(name: name) }
            chosen.append(fault)
        }
        return chosen
    }

    /// How long it lasts; what the fault itself does not end.
    func duration(isLong: Bool) -> Duration {
        switch self {
        case .paused: .seconds(isLong ? 5 : 2)
        case .frozenGateway: .seconds(isLong ? 10 : 2)
        default: .milliseconds(isLong ? 1_500 : 500)
        }
    }

    /// Nothing can be written: no logout that begins meanwhile may be acknowledged while it lasts.
    var forbidsLogout: Bool {
        switch self {
        case .outOfMemory, .readOnly, .withoutReplicas, .wrongType, .tokenRights: true
        default: false
        }
    }

    /// The second gateway must have answered 503 at least once.
    var closesEdge: Bool {
        switch self {
        case .killed, .killedWithoutFile, .emptied, .promoted, .flushed, .markDeleted, .paused, .gatewayRights, .cutOff:
            true
        default: false
        }
    }
}
