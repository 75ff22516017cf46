import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Ways to feed the parser, and their outcomes.
enum HeadParsing {
    /// The edge's result for some bytes: a head and how many of them it took, nothing yet, or a refusal.
    enum Outcome: Equatable {
        case head(summary: String, taken: Int)
        case incomplete
        case refused(HTTPViolation)
    }

    /// Reads `bytes` at once.
    static func whole(
        _ bytes: [UInt8], limits: HeaderBlock.Limits = .init(), hostlessPath: [UInt8] = []
    ) -> Outcome {
        pieces([bytes], limits: limits, hostlessPath: hostlessPath)
    }

    /// Reads `bytes` one by one.
    static func byteByByte(_ bytes: [UInt8], limits: HeaderBlock.Limits = .init()) -> Outcome {
        pieces(bytes.map { [$0] }, limits: limits)
    }

    static func pieces(
        _ pieces: [[UInt8]], limits: HeaderBlock.Limits = .init(), hostlessPath: [UInt8] = []
    ) -> Outcome {
        var parser = RequestHeadParser(limits: limits, hostlessPath: hostlessPath)
        var buffer = ByteBuffer()
        var given = 0
        do throws(HTTPViolation) {
            for piece in pieces {
                buffer.writeBytes(piece)
                given += piece.count
                if let head = try parser.next(from: &buffer) {
                    return .head(summary: summary(head), taken: given - buffer.readableBytes)
                }
            }
            return .incomplete
        } catch {
            return .refused(error)
        }
    }

    /// The head of a request that must be accepted.
    static func head(_ text: String, hostlessPath: [UInt8] = []) throws -> RequestHead {
        var parser = RequestHeadParser(limits: .init(), hostlessPath: hostlessPath)
        var buffer = ByteBuffer(string: text)
        return try #require(try parser.next(from: &buffer))
    }

    private static func summary(_ head: RequestHead) -> String {
        let fields = head.block.fields.map { "\(head.block.text($0.name))=\(head.block.text($0.value))/\($0.kind)" }
        return "\(head.method) \(head.pathText) \(String(decoding: head.target, as: UTF8.self)) \(head.framing) "
            + "\(head.keepsAlive) \(head.expectsContinue) \(fields)"
    }
}
