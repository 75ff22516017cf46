import InternalAPI

/// A page of the records of all services, newest first; times are Unix seconds.
struct AdminAuditPage: Codable, Sendable {
    struct AdminRecord: Codable, Sendable {
        let service: String
        let number: Int64
        let at: Int64
        let event: String
        let subject: String?
        let sessionId: String?
        let method: String?
        let requestId: String?
        let detail: String?

        init(_ whole: WholeAuditPage.Record) {
            let record = whole.record
            (service, number, at, event) = (whole.service.rawValue, record.number, record.at, record.event)
            (subject, sessionId, method) = (record.subject, record.sessionID, record.method)
            (requestId, detail) = (record.requestID, record.detail)
        }
    }

    let records: [AdminRecord]
    let nextCursor: String?

    init(_ page: WholeAuditPage) { (records, nextCursor) = (page.records.map(AdminRecord.init), page.next) }
}

/// A page of what happened to a user, newest first, as sentences; times are Unix seconds.
struct AdminStory: Codable, Sendable {
    struct AdminStoryLine: Codable, Sendable {
        let at: Int64
        let sentence: String

        init(_ line: StoryPage.Line) { (at, sentence) = (line.at, line.sentence) }
    }

    let story: [AdminStoryLine]
    let liveSessions: [AdminStoryLine]
    let nextCursor: String?

    init(_ page: StoryPage) {
        (story, liveSessions) = (page.lines.map(AdminStoryLine.init), page.sessions.map(AdminStoryLine.init))
        nextCursor = page.next
    }
}
