import NIOCore
import TestSupport

extension Attack {
    static func overHTTP2(seconds: Int, bearer: String) -> [Attack] {
        floods(seconds: seconds) + tableOverHTTP2(seconds: seconds, bearer: bearer)
    }

    /// Attacks that only HTTP/2 makes possible: each of eight connections sends as fast as it can, and opens again when the edge has
    /// ended it.
    private static func floods(seconds: Int) -> [Attack] {
        let request = HTTP2Bytes.block(HTTP2Bytes.usual(NginxUpstream.smallPath))
        let resets = (0..<10_000 as Range<UInt32>).flatMap { number in
            let stream = 2 * number + 1
            return HTTP2Bytes.frame(
                .headers, flags: HTTP2Bytes.endHeaders | HTTP2Bytes.endStream, stream: stream, request)
                + HTTP2Bytes.reset(stream)
        }
        let beginning = HTTP2Bytes.frame(.headers, stream: 1, request)
        return [
            flood("resets", resets, repeating: [], seconds),
            flood(
                "continuations", beginning, repeating: HTTP2Bytes.frame(.continuation, stream: 1, [0, 1, 97, 1, 97]),
                seconds),
            flood("pings", [], repeating: HTTP2Bytes.frame(.ping, [UInt8](repeating: 0, count: 8)), seconds),
            flood("settings", [], repeating: HTTP2Bytes.frame(.settings), seconds),
        ]
    }

    /// The attacks of every connection, in frames: responses that are not read, heads and bodies without an end, frames of one byte.
    private static func tableOverHTTP2(seconds: Int, bearer: String) -> [Attack] {
        let plans: [(String, HostilePlan)] = [
            ("unread-404", unread("/nothing")), ("unread-keys", unread("/.well-known/jwks.json")),
            ("unread-me", unread("/users/me", bearer: bearer)),
            ("unread-proxied", unread(NginxUpstream.smallPath, bearer: bearer)),
            ("pipelined", crowd(HostileScript(opening: requests("/nothing", count: 3000), reading: .nothing), 2200)),
            ("unfinished", crowd(HostileScript(opening: opening + unfinishedHead), 6000)),
            ("chunks-16", slowUpload("/open/upload", pieces: .max, count: 16)),
            ("stalled", slowUpload("/stalled/upload", pieces: 2_000, count: 64)),
            ("idle", idle(HostileScript(opening: opening))),
            ("one-byte", idle(HostileScript(opening: [UInt8(ascii: "P")]))),
        ]
        return plans.map { Attack("h2-\($0)", $1, seconds) }
    }

    /// The preface, and settings that give the server all the room to answer that there can be.
    private static let opening: [UInt8] = {
        let window = UInt32(Int32.max)
        let settings = HTTP2Bytes.frame(.settings, [0, 4] + HTTP2Bytes.number(window))
        return Array(HTTP2Bytes.preface.utf8) + settings + HTTP2Bytes.windowUpdate(0, by: window - 65_535)
    }()

    private static var unfinishedHead: [UInt8] {
        let fields = (0..<15).map { ("x-\($0)", String(repeating: "a", count: 1016)) }
        return HTTP2Bytes.frame(.headers, stream: 1, HTTP2Bytes.block(HTTP2Bytes.usual("/nothing") + fields))
    }

    private static func requests(_ path: String, bearer: String? = nil, count: UInt32) -> [UInt8] {
        let authorization = bearer.map { [("authorization", "Bearer \($0)")] } ?? []
        return opening
            + (0..<count).flatMap { HTTP2Bytes.request(2 * $0 + 1, HTTP2Bytes.usual(path) + authorization) }
    }

    private static func unread(_ path: String, bearer: String? = nil) -> HostilePlan {
        let script = HostileScript(opening: requests(path, bearer: bearer, count: 20_000), reading: .nothing)
        return HostilePlan(scripts: [script], count: 8, addressCount: 8, reopens: true)
    }

    /// A connection from each hundredth of as many addresses.
    private static func crowd(_ script: HostileScript, _ count: Int) -> HostilePlan {
        HostilePlan(scripts: [script], count: count, addressCount: count / 100, reopens: true)
    }

    /// Uploads in frames of one byte, 2.5 MB a second together, in a hundred pieces.
    private static func slowUpload(_ path: String, pieces: Int, count: Int) -> HostilePlan {
        let begin = HTTP2Bytes.request(1, HTTP2Bytes.usual(path, "POST"), endsStream: false)
        let script = HostileScript(
            opening: opening + begin,
            repeated: Array(repeatElement(HTTP2Bytes.data(1, [120]), count: 2_500 / count).joined()), repeats: pieces,
            pause: .milliseconds(10))
        return HostilePlan(scripts: [script], count: count, addressCount: count, reopens: true)
    }

    private static func flood(_ name: String, _ bytes: [UInt8], repeating frame: [UInt8], _ seconds: Int) -> Attack {
        let script = HostileScript(
            opening: Array(HTTP2Bytes.preface.utf8) + HTTP2Bytes.frame(.settings) + bytes,
            repeated: Array(repeatElement(frame, count: 100).joined()), repeats: frame.isEmpty ? 0 : .max)
        var attack = Attack(name, HostilePlan(scripts: [script], count: 8, addressCount: 8, reopens: true), seconds)
        attack.bounds["p99"] = 500
        return attack
    }
}
