import InternalAPI

/// An audit record with the service that has it.
struct AuditRow: Encodable {
    let service: AuditService
    let record: AuditPage.Record

    private static let heading = ["TIME", "SERVICE", "EVENT", "USER", "SESSION", "METHOD", "REQUEST", "DETAIL"]

    /// Returns one line for each record under a heading.
    static func table(_ rows: [AuditRow]) -> String { TextTable.text([heading] + rows.map(\.cells)) }

    /// The record on one line.
    var line: String { cells.joined(separator: "  ") }

    private var cells: [String] {
        [
            TimeText.text(record.at), service.rawValue, record.event, record.subject ?? "-", record.sessionID ?? "-",
            record.method ?? "-", record.requestID ?? "-", record.detail ?? "-",
        ]
    }

    private enum Key: CodingKey { case service }

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(service.rawValue, forKey: .service)
    }
}
