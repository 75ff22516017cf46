import NIOCore
import Testing

@testable import TestSupport

/// The proxy finds the COMMIT wherever the network divides the bytes.
@Suite struct PostgreSQLMessagesTests {
    private static func message(_ kind: Character?, _ body: [UInt8]) -> [UInt8] {
        (kind.flatMap(\.asciiValue).map { [$0] } ?? []) + [0, 0, 0, UInt8(body.count + 4)] + body
    }

    /// A request for TLS, the start, and a prepared statement that is bound.
    private static let stream =
        message(nil, [4, 210, 22, 47]) + message(nil, [0, 3, 0, 0, 0]) + message("P", Array("s1\0COMMIT\0\0\0".utf8))
        + message("B", Array("\0s1\0\0\0".utf8))

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `messages are the same however their bytes are divided`(_ size: Int) {
        var messages = PostgreSQLMessages(ofClient: true)
        var found: [PostgreSQLMessages.Message] = []
        for start in stride(from: 0, to: Self.stream.count, by: size) {
            found += messages.add(ByteBuffer(bytes: Self.stream[start..<min(start + size, Self.stream.count)]))
        }
        #expect(found.map(\.kind) == [0, 0, UInt8(ascii: "P"), UInt8(ascii: "B")])
        #expect(found.last?.texts.prefix(2) == ["", "s1"])
        #expect(found[2].texts.prefix(2) == ["s1", "COMMIT"])
    }

    @Test func `a message begins where the bytes before it end`() {
        var messages = PostgreSQLMessages(ofClient: true)
        let found = messages.add(ByteBuffer(bytes: Self.stream))
        #expect(found.map(\.start) == [0, 8, 17, 17 + 17])
    }
}
