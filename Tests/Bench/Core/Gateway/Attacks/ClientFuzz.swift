import NIOCore
import TestSupport

/// Crowds of hostile clients drawn out of a seed, one after the other, on one gateway with little memory.
struct ClientFuzz: Sendable {
    /// The seed of the first round; each later one has the next.
    let seed: UInt64
    let rounds: Int
    /// The duration of one round, without opening its connections.
    let seconds: Int
    /// Whether it is a finding that others wait: not with an unoptimised gateway, which a crowd keeps busy by itself.
    var judgesService = true

    /// The result of all rounds.
    struct Outcome: Sendable {
        /// The worst of all rounds, with the bound that nothing was found.
        let figures: [Figure]
        /// Rounds in which the gateway held too much or ended, or somebody else was not served; with their seeds.
        let findings: [String]
    }

    /// - Parameter say: is given a line for each round.
    func run(_ say: (String) -> Void) async throws -> Outcome {
        try await AttackedGateway.run("client-fuzz") { attacked in
            var rounds: [[Figure]] = []
            var findings: [String] = []
            for number in 0..<self.rounds {
                let roundSeed = seed &+ UInt64(number)
                var draw = HostileDraw(seed: roundSeed, bearer: attacked.bearer)
                let round = try await attacked.series.run(Attack("fuzz", draw.plan(), seconds))
                let line =
                    "seed \(roundSeed): " + round.map { "\($0.name) \(Figure.text($0.value))" }.joined(separator: ", ")
                say(line)
                if isFinding(round) { findings.append(line) }
                rounds.append(round)
            }
            let worst = [("memory", Figure.Unit.megabytes), ("p99", .milliseconds), ("newcomer", .seconds)].map {
                Figure($0, Rounds.values($0, rounds).max() ?? 0, $1)
            }
            let count = Figure("findings", Double(findings.count), .count, bound: .atMost(0))
            return Outcome(figures: (worst + [count]).under("fuzz"), findings: findings)
        }
    }

    private func isFinding(_ round: [Figure]) -> Bool {
        let isUnserved = round.value("failures") > 0 || round.value("newcomer") >= OtherClients.unansweredSeconds
        return round.value("ended") > 0 || round.value("memory") > Attack.megabytesMax || (judgesService && isUnserved)
    }
}

/// Draws what hostile clients do: how deep they pipeline, how fast they read, in which pieces they send, how they end.
///
/// A seed always gives the same crowds.
struct HostileDraw {
    private static let headBytesMax = 31 * 1024
    private static let pieceBytesMax = 64 * 1024

    /// A token of a user in user-service.
    let bearer: String
    private var generator: SeededGenerator

    init(seed: UInt64, bearer: String) {
        self.bearer = bearer
        generator = SeededGenerator(seed: seed)
    }

    /// A crowd of one to four kinds of clients.
    mutating func plan() -> HostilePlan {
        let scripts = (0..<number(1...4)).map { _ in script() }
        return HostilePlan(
            scripts: scripts, count: spread(1...4000), addressCount: spread(3...250), opensPerSecond: spread(50...2000),
            reopens: Bool.random(using: &generator))
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// A number of the range, small ones as often as large ones of each size.
    private mutating func spread(_ range: ClosedRange<Int>) -> Int {
        var most = range.upperBound
        let times = max(range.upperBound / max(range.lowerBound, 1), 1)
        for _ in 0..<number(0...times.bitWidth - times.leadingZeroBitCount - 1) { most /= 2 }
        return number(range.lowerBound...max(most, range.lowerBound))
    }

    private mutating func script() -> HostileScript {
        var script = HostileScript()
        switch number(0...4) {
        case 0:
            let line = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
            let head =
                "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: line, count: Self.headBytesMax / line.utf8.count)
            script.opening = Array(head.utf8.prefix(spread(1...Self.headBytesMax)))
        case 1: upload(into: &script, chunked: true)
        case 2: upload(into: &script, chunked: false)
        case 3: script.opening = (0..<spread(1...4096)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        default: requests(into: &script)
        }
        script.pause = Bool.random(using: &generator) ? .zero : .milliseconds(Int64(spread(1...5000)))
        script.reading = [.all, .nothing, .slowly(spread(10...1 << 20))][number(0...2)]
        let time = TimeAmount.milliseconds(Int64(spread(1...10_000)))
        script.ending = [.half(after: time), .whole(after: time), .reset(after: time), .never, .never][number(0...4)]
        return script
    }

    private mutating func requests(into script: inout HostileScript) {
        let paths = [
            "/nothing", "/.well-known/jwks.json", "/users/me", NginxUpstream.smallPath, NginxUpstream.largePath,
        ]
        let path = paths[number(0...paths.count - 1)]
        let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(bearer)\r\n\r\n"
        script.repeated = Array(String(repeating: request, count: spread(1...500)).utf8)
        script.repeats = spread(1...1000)
    }

    private mutating func upload(into script: inout HostileScript, chunked: Bool) {
        let path = ["/open/upload", "/stalled/upload", "/auth/otp/request"][number(0...2)]
        let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: 100000000"
        script.opening = Array("POST \(path) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n".utf8)
        let bytes = spread(1...Self.pieceBytesMax)
        let piece = String(repeating: "x", count: bytes)
        let count = min(spread(1...1000), max(Self.pieceBytesMax / bytes, 1))
        let pieces = chunked ? String(repeating: "\(String(bytes, radix: 16))\r\n\(piece)\r\n", count: count) : piece
        script.repeated = Array(pieces.utf8)
        script.repeats = spread(1...1000)
    }
}
