import TestSupport

extension Attack {
    /// Attacks that only HTTP/2 makes possible: each of eight connections sends as fast as it can, and opens again when the edge has ended it.
    static func overHTTP2(seconds: Int) -> [Attack] {
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

    private static func flood(_ name: String, _ bytes: [UInt8], repeating frame: [UInt8], _ seconds: Int) -> Attack {
        let script = HostileScript(
            opening: Array(HTTP2Bytes.preface.utf8) + HTTP2Bytes.frame(.settings) + bytes,
            repeated: Array(repeatElement(frame, count: 100).joined()), repeats: frame.isEmpty ? 0 : .max)
        var attack = Attack(name, HostilePlan(scripts: [script], count: 8, addressCount: 8, reopens: true), seconds)
        attack.bounds["p99"] = 500
        return attack
    }
}
