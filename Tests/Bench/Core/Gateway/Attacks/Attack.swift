import NIOCore
import Synchronization

/// One way to wear an edge down, and for how long.
struct Attack: Sendable {
    let name: String
    let plan: HostilePlan
    /// Once its connections are open, or most of the time that they need has been waited for twice.
    let seconds: Int
    var othersP99MillisecondsMax = 50.0
    /// The longest time for a new connection; `nil` if new connections are in the same queue as the attackers.
    var newcomerSecondsMax: Double? = 1

    /// All of them, each for `seconds`.
    ///
    /// - Parameters:
    ///   - bearer: A token of a user in user-service.
    static func all(seconds: Int, bearer: String) -> [Attack] {
        unread(bearer).map { Attack($0, $1, seconds) } + [
            Attack("pipelined", pipelined, seconds), Attack("ahead", ahead, seconds),
            Attack("unfinished", unfinished, seconds), Attack("refused-uploads", refusedUploads, seconds),
        ] + [1, 4, 16].map { Attack("chunks-\($0)", chunks($0), seconds) }
            + resting.map { Attack($0, $1, seconds) } + [
                Attack("stalled", stalled(largePieces), seconds),
                Attack("stalled-chunks", stalled(smallChunks), seconds),
            ]
    }

    init(_ name: String, _ plan: HostilePlan, _ seconds: Int) {
        self.name = name
        self.plan = plan
        self.seconds = seconds
    }

    /// How long its connections may take to be open; an edge may refuse some for ever.
    var openingLimit: Duration { .seconds(2 + 2 * plan.count / plan.opensPerSecond) }

    func isGathered(_ tally: HostileTally) -> Bool { tally.openMost.load(ordering: .relaxed) >= plan.count }

    private static let requestsPerBlock = 100
    private static let mebibyte = 1 << 20
    private static let unreadBytesMax = 40 * mebibyte
    private static let stalledBytesMax = 8 * mebibyte
    private static let aheadBytes = 100_000
    private static let refusedUploadBytes = 3 * mebibyte
    /// Each sends for more than half of a minute.
    private static let refusedUploadPauseMilliseconds: Int64 = 200
    private static let restingCount = 17_000
    private static let restingAddresses = 9
    private static let askingSeconds: Int64 = 5
    /// The rate of all uploads in pieces of one byte together.
    private static let chunkBytesPerSecond = 2_500_000
    private static let chunkPauseMilliseconds = 10
    private static let uploadPiece = [UInt8](repeating: 120, count: 16 * 1024)

    private static func get(_ path: String, bearer: String? = nil) -> [UInt8] {
        let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(authorization)\r\n".utf8)
    }

    private static func block(of request: [UInt8]) -> [UInt8] {
        Array(repeatElement(request, count: requestsPerBlock).joined())
    }

    /// Pipelined requests on one connection from each of eight addresses, whose responses are not read.
    private static func unread(_ bearer: String) -> [(String, HostilePlan)] {
        [
            ("unread-404", get("/nothing")), ("unread-keys", get("/.well-known/jwks.json")),
            ("unread-me", get("/users/me", bearer: bearer)),
            ("unread-proxied", get(NginxUpstream.smallPath, bearer: bearer)),
        ].map { name, request in
            var script = HostileScript(repeated: block(of: request), reading: .nothing)
            script.repeats = unreadBytesMax / script.repeated.count
            return (name, HostilePlan([script], count: 8, addresses: 8, reopens: true))
        }
    }

    /// 3,000 requests on each connection, then nothing more.
    private static var pipelined: HostilePlan {
        let script = HostileScript(repeated: block(of: get("/nothing")), repeats: 30, reading: .nothing)
        return HostilePlan([script], count: 2200, addresses: 22)
    }

    /// 100 KB of requests on each of thousands of connections, sent before anything is answered.
    private static var ahead: HostilePlan {
        let block = block(of: get("/nothing"))
        let script = HostileScript(repeated: block, repeats: aheadBytes / block.count, reading: .nothing)
        return HostilePlan([script], count: 6000, addresses: 60, opensPerSecond: 3000, reopens: true)
    }

    /// Uploads that are refused by their head, of clients that read nothing before they have sent all.
    private static var refusedUploads: HostilePlan {
        var script = HostileScript(repeated: uploadPiece, reading: .nothing)
        script.opening = upload("/api/upload", "Content-Length: \(refusedUploadBytes)")
        script.repeats = refusedUploadBytes / uploadPiece.count
        script.pause = .milliseconds(refusedUploadPauseMilliseconds)
        return HostilePlan([script], count: 2000, addresses: 20, reopens: true)
    }

    /// 31 KiB of a head that has no end.
    private static var unfinished: HostilePlan {
        let lines = (0..<31).map { "X-\($0): " + String(repeating: "a", count: 1016) + "\r\n" }
        let head = "GET /nothing HTTP/1.1\r\nHost: a\r\n" + lines.joined()
        return HostilePlan(
            [HostileScript(opening: Array(head.utf8))], count: 6000, addresses: 60, reopens: true)
    }

    /// Uploads in chunks of one byte.
    private static func chunks(_ count: Int) -> HostilePlan {
        let chunk = "1\r\nx\r\n"
        let bytes = chunkBytesPerSecond * chunkPauseMilliseconds / 1000 / count
        var script = HostileScript()
        script.opening = upload("/open/upload", "Transfer-Encoding: chunked")
        script.repeated = Array(String(repeating: chunk, count: bytes / chunk.utf8.count).utf8)
        script.repeats = .max
        script.pause = .milliseconds(Int64(chunkPauseMilliseconds))
        return HostilePlan([script], count: count, addresses: count, reopens: true)
    }

    /// More connections than there is room for, which do next to nothing.
    private static var resting: [(String, HostilePlan)] {
        let request = get("/nothing")
        return [
            ("idle", HostileScript()), ("one-byte", HostileScript(opening: [UInt8(ascii: "G")])),
            (
                "asking",
                HostileScript(opening: request, repeated: request, repeats: .max, pause: .seconds(askingSeconds))
            ),
        ].map { name, script in
            let plan = HostilePlan(
                [script], count: restingCount, addresses: restingAddresses, opensPerSecond: 2500, reopens: true)
            return (name, plan)
        }
    }

    /// Uploads to an upstream that reads nothing, as much of each as is taken.
    private static func stalled(_ script: HostileScript) -> HostilePlan {
        HostilePlan([script], count: 64, addresses: 64, reopens: true)
    }

    private static var largePieces: HostileScript {
        HostileScript(
            opening: upload("/stalled/upload", "Content-Length: 1000000000"), repeated: uploadPiece,
            repeats: stalledBytesMax / uploadPiece.count)
    }

    /// 16 bytes in each: as small as may be without more framing than payload.
    private static var smallChunks: HostileScript {
        let chunks = String(repeating: "10\r\n0123456789abcdef\r\n", count: requestsPerBlock)
        return HostileScript(
            opening: upload("/stalled/upload", "Transfer-Encoding: chunked"), repeated: Array(chunks.utf8),
            repeats: stalledBytesMax / chunks.utf8.count)
    }

    private static func upload(_ path: String, _ framing: String) -> [UInt8] {
        Array("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n\(framing)\r\n\r\n".utf8)
    }
}
