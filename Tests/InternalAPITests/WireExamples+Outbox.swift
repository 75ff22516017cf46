import InternalAPI

extension WireExamples {
    /// Requests and responses of `OutboxOperations`.
    static func outbox() throws -> [WireText] {
        let row = OutboxPage.Row(
            id: 7, lane: "mail", kind: "notice", userID: "usr_1", attempts: 2, nextAttemptAt: 1_700_000_004,
            createdAt: 1_700_000_000)
        var dead = row
        dead.nextAttemptAt = nil
        return [
            try WireText(
                "Outbox.list", OutboxOperations.list, requests: [OutboxListRequest(), OutboxListRequest(cursor: 7)],
                answers: [OutboxPage(rows: [row, dead], isLast: true)]),
            try WireText(
                "Outbox.retry", OutboxOperations.retry, requests: [OutboxRowRequest(id: 7)], answers: [Done()]),
            try WireText("Outbox.drop", OutboxOperations.drop, requests: [OutboxRowRequest(id: 7)], answers: [Done()]),
        ]
    }
}
