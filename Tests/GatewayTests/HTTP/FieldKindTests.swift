import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct FieldKindTests {
    private func kind(_ name: String) -> FieldKind {
        FieldKind(nameIn: Array(name.utf8).span, 0..<name.utf8.count)
    }

    /// Spellings of a name that an upstream could fold into it.
    static func spellings(_ name: String) -> [String] {
        let separators: [(String) -> String] = [
            { $0 }, { $0.replacing("-", with: "_") }, { $0.replacing("-", with: ".") },
            { text in
                guard let dash = text.firstIndex(of: "-") else { return text }
                return text.replacingCharacters(at: dash, with: "_")
            },
            { text in
                guard let dash = text.lastIndex(of: "-") else { return text }
                return text.replacingCharacters(at: dash, with: ".")
            },
        ]
        let cases: [(String) -> String] = [
            { $0 }, { $0.lowercased() }, { $0.uppercased() },
            {
                String(
                    $0.enumerated().map {
                        $0.offset % 2 == 0 ? Character($0.element.uppercased()) : Character($0.element.lowercased())
                    })
            },
        ]
        return separators.flatMap { separate in cases.map { separate($0(name)) } }
    }

    @Test(arguments: [
        "X-User-Id", "X-User-Role", "X-User-Anything", "X-User-Legacy-Id", "X-Session-Id", "X-Latchkey-Identity",
        "X-Acting-Admin",
        "Latchkey-Assertion",
        "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Real-Ip", "X-Original-Url",
        "X-HTTP-Method-Override", "True-Client-Ip", "Client-Ip",
    ])
    func `names that only the edge states are known in every spelling`(name: String) {
        for spelling in Self.spellings(name) { #expect(kind(spelling) == .reserved, "\(spelling)") }
    }

    @Test(arguments: ["Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Trailer", "HTTP2-Settings"])
    func `names of one connection are known in every spelling`(name: String) {
        for spelling in Self.spellings(name) { #expect(kind(spelling) == .hopByHop, "\(spelling)") }
    }

    @Test(arguments: ["Sec-WebSocket-Protocol", "Sec-WebSocket-Key", "Sec-WebSocket-Anything"])
    func `names of a WebSocket's handshake are known in every spelling`(name: String) {
        for spelling in Self.spellings(name) { #expect(kind(spelling) == .webSocket, "\(spelling)") }
    }

    @Test func `names that frame messages are themselves or refused`() {
        #expect(kind("Content-Length") == .contentLength)
        #expect(kind("TRANSFER-ENCODING") == .transferEncoding)
        #expect(kind("host") == .host)
        for name in ["Content_Length", "content.length", "Transfer_Encoding", "TRANSFER.ENCODING"] {
            #expect(kind(name) == .framingLookalike, "\(name)")
        }
    }

    @Test func `the fields of cookies are known in every case`() {
        for (name, expected) in [
            ("Cookie", FieldKind.cookie), ("COOKIE", .cookie), ("Set-Cookie", .setCookie), ("set-cookie", .setCookie),
            ("Set_Cookie", .setCookie), ("Clear-Site-Data", .clearSiteData), ("clear.site.data", .clearSiteData),
        ] {
            #expect(kind(name) == expected, "\(name)")
        }
    }

    @Test(arguments: [
        "Accept", "Cookies", "Set-Cookie2", "X-Custom", "X-Users", "X", "Hosts", "Content-Type", "Content-Lengths", "T",
        "Idempotency-Key",
        "User-Agent", "Latchkey", "X-Sessions", "Authorizations",
    ])
    func `other names are ordinary`(name: String) {
        #expect(kind(name) == .ordinary)
    }

    @Test func `the character sets hold what they say`() {
        let alphanumerics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let visible = String(decoding: Array(UInt8(0x21)...0x7E), as: UTF8.self)
        let sets: [(ASCIISet, String)] = [
            (.token, alphanumerics + "!#$%&'*+-.^_`|~"), (.path, alphanumerics + "-._~!$&'()*+,=:@/%[]|^{}"),
            (.host, alphanumerics + "-._~:[]"), (.query, visible.filter { !"#\"<>\\".contains($0) }),
        ]
        for (set, characters) in sets {
            for byte in UInt8.min...UInt8.max {
                #expect(set.contains(byte) == characters.utf8.contains(byte), "\(byte)")
            }
        }
    }

    @Test func `hexadecimal digits are written as they are`() {
        for (number, text) in [
            (UInt64.max, "ffffffffffffffff"), (0, "0000000000000000"), (0x0123_4567_89AB_CDEF, "0123456789abcdef"),
            (0xA0, "00000000000000a0"),
        ] {
            var buffer = ByteBuffer()
            buffer.writeHex(number)
            #expect(String(buffer: buffer) == text)
        }
    }
}

extension String {
    fileprivate func replacing(_ old: Character, with new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }

    fileprivate func replacingCharacters(at position: Index, with new: Character) -> String {
        String(self[..<position]) + String(new) + String(self[index(after: position)...])
    }
}
