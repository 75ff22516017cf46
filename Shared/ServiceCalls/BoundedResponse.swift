import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// A response is larger than allowed; its status counts nevertheless.
package struct AnswerTooLarge: Error, Equatable {
    package let status: Int

    package init(status: Int) { self.status = status }
}

/// Collects a response, and fails with its status if it is too large.
final class BoundedResponse: HTTPClientResponseDelegate {
    typealias Response = HTTPClient.Response

    private let whole: ResponseAccumulator
    private let status = Mutex(0)
    private let begun = Atomic(false)

    init(_ request: HTTPClient.Request, bytesMax: Int) {
        whole = ResponseAccumulator(request: request, maxBodySize: bytesMax)
    }

    /// Whether any of the request has been sent.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        begun.store(true, ordering: .relaxed)
    }

    func didVisitURL(task: HTTPClient.Task<Response>, _ request: HTTPClient.Request, _ head: HTTPResponseHead) {
        whole.didVisitURL(task: task, request, head)
    }

    func didReceiveHead(task: HTTPClient.Task<Response>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        status.withLock { $0 = Int(head.status.code) }
        return naming(whole.didReceiveHead(task: task, head))
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Response>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        naming(whole.didReceiveBodyPart(task: task, buffer))
    }

    func didReceiveError(task: HTTPClient.Task<Response>, _ error: any Error) {
        whole.didReceiveError(task: task, error)
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        try whole.didFinishRequest(task: task)
    }

    /// The accumulator fails only when the response is too large.
    private func naming(_ part: EventLoopFuture<Void>) -> EventLoopFuture<Void> {
        let status = status.withLock { $0 }
        return part.flatMapErrorThrowing { _ in throw AnswerTooLarge(status: status) }
    }
}
