import NIOCore
import NIOEmbedded
import NIOSSL

/// First messages of clients, as bytes.
enum ClientHello {
    /// Returns the ClientHello of BoringSSL.
    ///
    /// - Parameter latest: the newest version that it offers; nil: all that it knows.
    static func usual(_ name: String? = "localhost", upTo latest: TLSVersion? = nil) throws -> ByteBuffer {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.maximumTLSVersion = latest
        let context = try NIOSSLContext(configuration: configuration)
        let channel = EmbeddedChannel(handler: try NIOSSLClientHandler(context: context, serverHostname: name))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return try channel.readOutbound(as: ByteBuffer.self) ?? ByteBuffer()
    }

    /// One that asks for a name of so many bytes (RFC 6066 section 3), over as many records as it needs.
    static func asking(forNameOf count: Int) -> ByteBuffer {
        let name = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        let list = [0] + length(name.count) + name
        let names = length(list.count) + list
        let extensions = [0, 0] + length(names.count) + names + [0, 43, 0, 3, 2, 3, 4]
        let random = [UInt8](repeating: 7, count: 32)
        let body = [3, 3] + random + [0, 0, 2, 0x13, 1, 1, 0] + length(extensions.count) + extensions
        let message = [1, UInt8(truncatingIfNeeded: body.count >> 16)] + length(body.count) + body
        var hello = ByteBuffer()
        for start in stride(from: 0, to: message.count, by: 16_384) {
            let piece = message[start..<min(message.count, start + 16_384)]
            hello.writeBytes([22, 3, 1] + length(piece.count) + piece)
        }
        return hello
    }

    private static func length(_ count: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
}
