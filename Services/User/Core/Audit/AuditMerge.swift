import CryptoPrimitives
import InternalAPI

/// Merges the audits of services by time, newest first. Each record is on one page, whatever is added meanwhile and however many
/// have the same time, since a page begins where each of the audits was left.
///
/// An audit has its records in the order in which they were written. A record that came late through Redis has the place of its
/// writing, so it may be after older ones.
struct AuditMerge: Sendable {
    /// Where the next page begins in one audit.
    enum Position: Sendable, Equatable {
        case start
        /// After the record with this number.
        case before(Int64)
        case end
    }

    private struct Chain: Sendable {
        let service: AuditedService
        var position: Position
        var records: ArraySlice<AuditPage.Record> = []
        /// Where the audit goes on after the records.
        var next: Int64?

        var isHungry: Bool { records.isEmpty && position != .end }

        /// Where the next page begins. An audit of which nothing was merged yet begins where it was read, so that the next page has
        /// none of the records that reading it adds.
        var left: Position {
            guard position == .start, let first = records.first else { return position }
            return .before(first.number.addingReportingOverflow(1).partialValue)
        }

        mutating func leave(after record: AuditPage.Record?) {
            if records.isEmpty {
                position = next.map { .before($0) } ?? .end
            } else if let record {
                position = .before(record.number)
            }
        }
    }

    private var chains: [Chain]
    private(set) var merged: [WholeAuditPage.Record] = []

    init(from positions: [AuditedService: Position]) {
        chains = AuditedService.allCases.map { Chain(service: $0, position: positions[$0] ?? .start) }
    }

    /// The audit of which more must be read before another record is merged, and from where; `nil` if there is none.
    var hungry: (service: AuditedService, position: Position)? {
        chains.first(where: \.isHungry).map { ($0.service, $0.position) }
    }

    /// Where the next page begins; `nil` after the last one.
    var next: [AuditedService: Position]? {
        guard chains.contains(where: { $0.position != .end }) else { return nil }
        return Dictionary(uniqueKeysWithValues: chains.map { ($0.service, $0.left) })
    }

    /// Adds what was read for the hungry audit.
    mutating func feed(_ page: AuditPage, of service: AuditedService) {
        guard let index = chains.firstIndex(where: { $0.service == service }) else { return }
        (chains[index].records, chains[index].next) = (page.records[...], page.next)
        if page.records.isEmpty { chains[index].leave(after: nil) }
    }

    /// Merges records until there are `limit`, or more must be read.
    mutating func merge(upTo limit: Int) {
        while merged.count < limit, hungry == nil, let index = newest, let record = chains[index].records.popFirst() {
            merged.append(WholeAuditPage.Record(record, of: chains[index].service))
            chains[index].leave(after: record)
        }
    }

    /// The audit with the newest record; of equal ones the first.
    private var newest: Int? {
        chains.indices.reduce(nil) { best, index in
            guard let at = chains[index].records.first?.at else { return best }
            return best.flatMap { chains[$0].records.first }.map { $0.at >= at } == true ? best : index
        }
    }
}

/// The cursor of a page of a merged audit. It is valid for the same user and period only.
struct AuditCursor: Sendable {
    private let scope: [String]

    init(_ request: WholeAuditRequest) {
        scope = [request.userID ?? "-", "\(request.from)", "\(request.to)"]
    }

    func text(_ positions: [AuditedService: AuditMerge.Position]) -> String {
        let places = AuditedService.allCases.map { service in
            switch positions[service] ?? .start {
            case .start: "s"
            case .before(let number): "\(number)"
            case .end: "e"
            }
        }
        return Base64URL.encode(Array((scope + places).joined(separator: " ").utf8))
    }

    /// - Throws: `InvalidInput` for a text that is no cursor, or one of another request.
    func positions(_ text: String?) throws(InvalidInput) -> [AuditedService: AuditMerge.Position] {
        guard let text else { return [:] }
        let parts = Base64URL.decode(text).map { String(decoding: $0, as: UTF8.self) }?.split(separator: " ") ?? []
        let places = parts.dropFirst(scope.count).compactMap { Self.position($0) }
        let count = AuditedService.allCases.count
        guard parts.count == scope.count + count, parts.prefix(scope.count).map(String.init) == scope,
            places.count == count
        else { throw InvalidInput(member: "cursor") }
        return Dictionary(uniqueKeysWithValues: zip(AuditedService.allCases, places))
    }

    private static func position(_ text: Substring) -> AuditMerge.Position? {
        switch text {
        case "s": .start
        case "e": .end
        default: Int64(text).flatMap { $0 >= 0 ? .before($0) : nil }
        }
    }
}
