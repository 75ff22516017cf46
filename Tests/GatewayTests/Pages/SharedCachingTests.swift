import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Headers that keep a response to a page's cookie out of shared caches.
@Suite struct SharedCachingTests {
    /// Returns the lines that the edge adds to an upstream's response.
    private func added(_ use: CookieUse, to fields: String...) throws -> String {
        var parser = ResponseHeadParser(limits: .init())
        let lines = fields.map { $0 + "\r\n" }.joined()
        var buffer = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")
        let head = try #require(try parser.next(from: &buffer, isHEAD: false))
        var written = ByteBuffer()
        SharedCaching.write(use, head.block, into: &written)
        return String(buffer: written)
    }

    private static let both = "Vary: Cookie\r\nCache-Control: private\r\n"

    @Test(arguments: [
        "X: y", "Cache-Control: max-age=60", "Cache-Control:", "Cache-Control: no-store", "Cache-Control: publicly",
        "Cache-Control: no-cache=\"public\"", "Cache-Control: ,, = ,", "X-Cache-Control: public", "Expires: tomorrow",
    ])
    func `a response to a signed-in user is private`(_ field: String) throws {
        #expect(try added(.signedIn, to: field) == Self.both)
    }

    @Test(arguments: [
        "Cache-Control: public", "cache-control: max-age=60 , PUBLIC", "Cache-Control: s-maxage=60",
        "Cache-Control:\tmust-revalidate\t", "Cache-Control: public = 1",
    ])
    func `the upstream may let caches store it, but not for another cookie`(_ field: String) throws {
        #expect(try added(.signedIn, to: field) == "Vary: Cookie\r\n")
        #expect(try added(.signedIn, to: "Cache-Control: max-age=60", field) == "Vary: Cookie\r\n")
    }

    @Test func `a response to nobody depends on the cookie where one could count`() throws {
        #expect(try added(.possible, to: "Cache-Control: max-age=60") == "Vary: Cookie\r\n")
        #expect(try added(.none, to: "Cache-Control: max-age=60") == "")
    }
}
