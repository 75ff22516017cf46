import NIOCore

/// One way to wear an edge down, and for how long.
struct Attack: Sendable {
    let name: String
    let plan: HostilePlan
    /// Once its connections are open, or most of the time that they need has been waited for twice.
    let seconds: Int
    static let megabytesMax = 200.0
    /// The most that the figures may be; `far` is half of the time after which a new client counts as not served.
    var bounds = [
        "memory": megabytesMax, "ended": 0, "failures": 0, "p99": 50, "newcomer": 1,
        "far": OtherClients.unansweredSeconds / 2,
    ]

    init(_ name: String, _ plan: HostilePlan, _ seconds: Int) {
        (self.name, self.plan, self.seconds) = (name, plan, seconds)
    }

    /// How long its connections may take to be open; an edge may refuse some for ever.
    var openingLimit: Duration { .seconds(2 + 2 * plan.count / plan.opensPerSecond) }

    /// This one, each of its connections with a handshake first, which costs the attackers as much as the edge, whose machine
    /// they share here.
    func over(_ tls: LoadTLS) -> Attack {
        var plan = plan
        plan.tls = tls
        plan.opensPerSecond = min(plan.opensPerSecond, 500)
        return Attack(name, plan, seconds)
    }

    /// All of them, each for `seconds`.
    ///
    /// - Parameter bearer: a token of a user in user-service.
    static func all(seconds: Int, bearer: String) -> [Attack] {
        let nothing = block(of: get("/nothing"))
        let unfinished = (0..<31).map { "X-\($0): " + String(repeating: "a", count: 1016) + "\r\n" }
        let asking = HostileScript(
            opening: get("/nothing"), repeated: get("/nothing"), repeats: .max, pause: .seconds(5))
        let plans: [(String, HostilePlan)] = [
            // Pipelined requests on one connection from each of eight addresses, whose responses are not read.
            ("unread-404", unread(get("/nothing"))), ("unread-keys", unread(get("/.well-known/jwks.json"))),
            ("unread-me", unread(get("/users/me", bearer: bearer))),
            ("unread-proxied", unread(get(NginxUpstream.smallPath, bearer: bearer))),
            // 3,000 requests on each connection, then nothing more.
            (
                "pipelined",
                HostilePlan(
                    scripts: [HostileScript(repeated: nothing, repeats: 30, reading: .nothing)], count: 2200,
                    addressCount: 22)
            ),
            // 100 KB of requests on each of thousands of connections, sent before anything is answered.
            (
                "ahead",
                HostilePlan(
                    scripts: [HostileScript(repeated: nothing, repeats: 100_000 / nothing.count, reading: .nothing)],
                    count: 6000,
                    addressCount: 60, opensPerSecond: 3000, reopens: true)
            ),
            // 31 KiB of a head that has no end.
            (
                "unfinished",
                HostilePlan(
                    scripts: [
                        HostileScript(opening: Array("GET /nothing HTTP/1.1\r\nHost: a\r\n\(unfinished.joined())".utf8))
                    ],
                    count: 6000, addressCount: 60, reopens: true)
            ),
            ("refused-uploads", refusedUploads), ("chunks-1", chunks(1)), ("chunks-4", chunks(4)),
            ("chunks-16", chunks(16)),
            // More connections than there is room for, which do next to nothing.
            ("idle", idle(HostileScript())), ("one-byte", idle(HostileScript(opening: [UInt8(ascii: "G")]))),
            ("asking", idle(asking)),
            // Uploads to an upstream that reads nothing, as much of each as is taken; then in chunks of 16 bytes, as small
            // as may be without more framing than payload.
            ("stalled", stalled("Content-Length: 1000000000", uploadPiece)),
            (
                "stalled-chunks",
                stalled("Transfer-Encoding: chunked", block(of: Array("10\r\n0123456789abcdef\r\n".utf8)))
            ),
        ]
        return plans.map { Attack($0, $1, seconds) }
    }

    /// Handshakes that cost those who begin them nothing.
    ///
    /// - Parameter hello: the message that begins one, always the same.
    static func handshakes(_ hello: [UInt8], _ seconds: Int) -> [Attack] {
        // The edge signs its answer; then nothing more comes.
        let waiting = HostilePlan(
            scripts: [HostileScript(opening: hello)], count: 6000, addressCount: 60, reopens: true)
        // Each connection closes once it has a response, and another one opens, so that the edge signs all the time.
        let flood = HostilePlan(
            scripts: [HostileScript(opening: hello, ending: .answered(orAfter: .seconds(1)))], count: 1000,
            addressCount: 250,
            opensPerSecond: 5000, reopens: true)
        var flooding = Attack("handshakes", flood, seconds)
        // New connections are in the same queue as the attackers.
        flooding.bounds.merge(["p99": 1000, "newcomer": .infinity]) { $1 }
        return [Attack("unfinished-handshakes", waiting, seconds), flooding]
    }

    private static let mebibyte = 1 << 20
    private static let uploadPiece = [UInt8](repeating: 120, count: 16 * 1024)

    private static func get(_ path: String, bearer: String? = nil) -> [UInt8] {
        let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(authorization)\r\n".utf8)
    }

    /// A hundred of them.
    private static func block(of request: [UInt8]) -> [UInt8] { Array(repeatElement(request, count: 100).joined()) }

    private static func upload(_ path: String, _ framing: String) -> [UInt8] {
        Array("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n\(framing)\r\n\r\n".utf8)
    }

    private static func unread(_ request: [UInt8]) -> HostilePlan {
        let block = block(of: request)
        let script = HostileScript(repeated: block, repeats: 40 * mebibyte / block.count, reading: .nothing)
        return HostilePlan(scripts: [script], count: 8, addressCount: 8, reopens: true)
    }

    /// Uploads that are refused by their head, of clients that read nothing before they have sent all, for more than half
    /// of a minute.
    private static var refusedUploads: HostilePlan {
        let bytes = 3 * mebibyte
        let script = HostileScript(
            opening: upload("/api/upload", "Content-Length: \(bytes)"), repeated: uploadPiece,
            repeats: bytes / uploadPiece.count, pause: .milliseconds(200), reading: .nothing)
        return HostilePlan(scripts: [script], count: 2000, addressCount: 20, reopens: true)
    }

    /// Uploads in chunks of one byte, 2.5 MB a second together, in a hundred pieces.
    private static func chunks(_ count: Int) -> HostilePlan {
        let chunk = "1\r\nx\r\n"
        let piece = String(repeating: chunk, count: 25_000 / count / chunk.utf8.count)
        let script = HostileScript(
            opening: upload("/open/upload", "Transfer-Encoding: chunked"), repeated: Array(piece.utf8), repeats: .max,
            pause: .milliseconds(10))
        return HostilePlan(scripts: [script], count: count, addressCount: count, reopens: true)
    }

    static func idle(_ script: HostileScript) -> HostilePlan {
        HostilePlan(scripts: [script], count: 17_000, addressCount: 9, opensPerSecond: 2500, reopens: true)
    }

    private static func stalled(_ framing: String, _ piece: [UInt8]) -> HostilePlan {
        let script = HostileScript(
            opening: upload("/stalled/upload", framing), repeated: piece, repeats: 8 * mebibyte / piece.count)
        return HostilePlan(scripts: [script], count: 64, addressCount: 64, reopens: true)
    }
}
