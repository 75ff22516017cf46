import ArgumentParser
import InternalAPI

/// The last record that was read of each chain of each service, such as `token:0=512,user:0=90`.
struct FollowCursor: ExpressibleByArgument, Equatable, Sendable {
    private struct Chain: Hashable {
        let service: AuditService
        let slot: Int64
    }

    private var numbers: [Chain: Int64] = [:]

    init() {}

    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            let place = words.last?.split(separator: "=", omittingEmptySubsequences: false) ?? []
            guard words.count == 2, place.count == 2, let service = AuditService(rawValue: String(words[0])),
                let slot = Int64(place[0]), let number = Int64(place[1]), slot >= 0, number >= 0,
                numbers.updateValue(number, forKey: Chain(service: service, slot: slot)) == nil
            else { return nil }
        }
    }

    var text: String {
        numbers.map { "\($0.key.service.rawValue):\($0.key.slot)=\($0.value)" }.sorted().joined(separator: ",")
    }

    func places(of service: AuditService) -> [AuditPlace] {
        numbers.filter { $0.key.service == service }.map { AuditPlace(slot: $0.key.slot, number: $0.value) }
    }

    /// Moves to the last record of each chain on the page.
    mutating func move(behind page: AuditTailPage, of service: AuditService) {
        for record in page.records { numbers[Chain(service: service, slot: record.slot)] = record.record.number }
    }
}
