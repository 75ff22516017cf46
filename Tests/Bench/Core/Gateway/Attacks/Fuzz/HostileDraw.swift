import NIOCore
import TestSupport

/// Draws what hostile clients do: how deep they pipeline, how fast they read, in which pieces they send, how they end.
///
/// A seed always gives the same crowds.
struct HostileDraw {
    private static let megabyte = 1 << 20
    private static let scriptsMax = 4
    private static let countMax = 4000
    private static let headBytesMax = 31 * 1024
    private static let pieceBytesMax = 64 * 1024
    private static let pipelineMax = 500

    /// A token of a user in user-service.
    let bearer: String
    private var generator: SeededGenerator

    init(seed: UInt64, bearer: String) {
        self.bearer = bearer
        generator = SeededGenerator(seed: seed)
    }

    /// A crowd of one to four kinds of clients.
    mutating func plan() -> HostilePlan {
        let scripts = (0..<Int.random(in: 1...Self.scriptsMax, using: &generator)).map { _ in script() }
        return HostilePlan(
            scripts, count: spread(1...Self.countMax), addresses: spread(3...250),
            opensPerSecond: spread(50...2000), reopens: Bool.random(using: &generator))
    }

    private mutating func script() -> HostileScript {
        var script = HostileScript()
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: script.opening = unfinishedHead()
        case 1: upload(into: &script, chunked: true)
        case 2: upload(into: &script, chunked: false)
        case 3: script.opening = (0..<spread(1...4096)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        default: requests(into: &script)
        }
        script.pause = pause()
        script.reading = reading()
        script.ending = ending()
        return script
    }

    private mutating func requests(into script: inout HostileScript) {
        let paths = [
            "/nothing", "/.well-known/jwks.json", "/users/me", NginxUpstream.smallPath, NginxUpstream.largePath,
        ]
        let path = paths[Int.random(in: 0..<paths.count, using: &generator)]
        let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(bearer)\r\n\r\n"
        script.repeated = Array(String(repeating: request, count: spread(1...Self.pipelineMax)).utf8)
        script.repeats = spread(1...1000)
    }

    private mutating func upload(into script: inout HostileScript, chunked: Bool) {
        let path = ["/open/upload", "/stalled/upload", "/auth/otp/request"][Int.random(in: 0..<3, using: &generator)]
        let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: 100000000"
        script.opening = Array("POST \(path) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n".utf8)
        let bytes = spread(1...Self.pieceBytesMax)
        let piece = String(repeating: "x", count: bytes)
        let count = min(spread(1...1000), max(Self.pieceBytesMax / bytes, 1))
        let pieces = chunked ? String(repeating: "\(String(bytes, radix: 16))\r\n\(piece)\r\n", count: count) : piece
        script.repeated = Array(pieces.utf8)
        script.repeats = spread(1...1000)
    }

    private mutating func unfinishedHead() -> [UInt8] {
        let line = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
        let head = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: line, count: Self.headBytesMax / line.utf8.count)
        return Array(head.utf8.prefix(spread(1...Self.headBytesMax)))
    }

    private mutating func pause() -> TimeAmount {
        Bool.random(using: &generator) ? .zero : .milliseconds(Int64(spread(1...5000)))
    }

    private mutating func reading() -> HostileScript.Reading {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .all
        case 1: .nothing
        default: .slowly(spread(10...Self.megabyte))
        }
    }

    private mutating func ending() -> HostileScript.Ending {
        let time = TimeAmount.milliseconds(Int64(spread(1...10_000)))
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: .half(after: time)
        case 1: .whole(after: time)
        case 2: .reset(after: time)
        default: .never
        }
    }

    /// A number of the range, small ones as often as large ones of each size.
    private mutating func spread(_ range: ClosedRange<Int>) -> Int {
        var most = range.upperBound
        let doublings =
            max(range.upperBound / max(range.lowerBound, 1), 1).bitWidth
            - max(range.upperBound / max(range.lowerBound, 1), 1).leadingZeroBitCount
        for _ in 0..<Int.random(in: 0..<max(doublings, 1), using: &generator) { most /= 2 }
        return Int.random(in: range.lowerBound...max(most, range.lowerBound), using: &generator)
    }
}
