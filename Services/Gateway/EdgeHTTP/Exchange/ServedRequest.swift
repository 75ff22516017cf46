import NIOCore

/// The request that is being served.
struct ServedRequest {
    let head: RequestHead
    let id: RequestID
    let startedAt = NIODeadline.now()
    /// Its template, once it is routed.
    var route = RouteLabel.other
    /// What every answer bears beside its own fields.
    var answerLines: [UInt8] = []
    /// Of the answer; 0 until it has begun.
    var status = 0

    init(head: RequestHead, id: RequestID) {
        self.head = head
        self.id = id
    }

    /// How its answers are written.
    var frame: AnswerFrame {
        AnswerFrame(id: id, isHEAD: head.method == .head, isHTTP11: head.isHTTP11, lines: answerLines)
    }

    /// What is told of it now that it is over.
    var finished: FinishedRequest {
        FinishedRequest(
            head: head, id: id, route: route, status: status == 0 ? Self.clientLeftStatus : status,
            duration: .now() - startedAt)
    }

    /// What is counted when a client leaves before it is answered; never sent.
    private static let clientLeftStatus = 499
}
