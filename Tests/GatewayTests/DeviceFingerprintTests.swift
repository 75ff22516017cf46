import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// `X-Device-Fingerprint`, whatever a client puts there.
@Suite struct DeviceFingerprintTests {
    private static func request(_ value: [UInt8]) -> [UInt8] {
        Array("POST /auth/otp/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-Device-Fingerprint: ".utf8) + value
            + Array("\r\n\r\n".utf8)
    }

    private static func fingerprint(_ value: String) throws -> String? {
        let head = try HeadParsing.head(String(decoding: request(Array(value.utf8)), as: UTF8.self))
        return ClientCall(
            ClientRequest(EndpointRequest(head: head, body: [], requestID: "r", clientAddress: "::1"))
        ).fingerprint
    }

    @Test func `what is kept of it has one length`() throws {
        for value in ["a", "😀", "' OR 1=1 --", String(repeating: "f", count: 8_000)] {
            #expect(try Self.fingerprint(value)?.utf8.count == 43)
        }
        #expect(try Self.fingerprint("a") == Self.fingerprint("  a "))
        #expect(try Self.fingerprint("a") != Self.fingerprint("A"))
        #expect(try Self.fingerprint("") == nil)
    }

    @Test func `one of 64 KiB is refused with its request`() {
        let outcome = HeadParsing.whole(Self.request([UInt8](repeating: UInt8(ascii: "f"), count: 64 * 1_024)))
        #expect(outcome == .refused(.headerTooLarge))
    }

    @Test(arguments: [0, 1, 7, 8, 11, 27, 31, 127] as [UInt8])
    func `one with a control character is refused with its request`(_ byte: UInt8) {
        guard case .refused = HeadParsing.whole(Self.request([UInt8(ascii: "a"), byte, UInt8(ascii: "b")])) else {
            Issue.record("\(byte) was accepted")
            return
        }
    }

    @Test func `two of them are none`() throws {
        let head = try HeadParsing.head(
            "GET / HTTP/1.1\r\nHost: a\r\nX-Device-Fingerprint: a\r\nX-Device-Fingerprint: b\r\n\r\n")
        let call = ClientCall(
            ClientRequest(EndpointRequest(head: head, body: [], requestID: "r", clientAddress: "::1")))
        #expect(call.fingerprint == nil)
    }
}
