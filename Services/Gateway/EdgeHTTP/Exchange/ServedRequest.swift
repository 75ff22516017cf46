import NIOCore

/// The request that is being served.
struct ServedRequest {
    let head: RequestHead
    let id: RequestID
    /// The rules with which it began.
    let rules: EdgeRules
    let startedAt = NIODeadline.now()
    /// The template of its route, once it is routed.
    var route = RouteLabel.other
    /// The lines of every response besides its own fields.
    var answerLines: [UInt8] = []
    /// The status of the response; 0 until it has begun.
    var status = 0
    /// The span of a traced request.
    var span: EdgeSpan?
    /// When a WebSocket was opened, or a live response began; `nil` for any other request.
    var openedAt: NIODeadline?

    init(head: RequestHead, id: RequestID, rules: EdgeRules) {
        self.head = head
        self.id = id
        self.rules = rules
    }

    /// The frame in which its responses are written.
    var frame: AnswerFrame {
        AnswerFrame(id: id, isHEAD: head.method == .head, isHTTP11: head.isHTTP11, lines: answerLines)
    }

    /// The report of the request once it is over.
    var finished: FinishedRequest {
        FinishedRequest(
            head: head, id: id, route: route, status: status == 0 ? Self.clientLeftStatus : status,
            duration: .now() - startedAt, opening: openedAt.map { $0 - startedAt }, rules: rules)
    }

    /// The status that is counted if a client leaves before the response; never sent.
    private static let clientLeftStatus = 499
}
