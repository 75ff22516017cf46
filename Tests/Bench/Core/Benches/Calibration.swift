import AccessTokens
import CryptoPrimitives
import Logging
import SQLiteStore
import Storage
import Subprocess
import TestSupport

/// The cost of this machine's basic operations, by which figures of different machines can be scaled.
enum Calibration {
    private static let requestsPerRound = 10_000
    private static let connectionCount = 16
    private static let limit: Duration = .seconds(60)
    private static let body = Array(
        #"{"phoneNumber":"+15550101234","countryCode":"US","code":"123456","name":"Betty"}"#.utf8)
    private static let commitsPerRound = 200
    private static let migration = Migration(
        "bench", "CREATE TABLE bench (id INTEGER PRIMARY KEY, token BLOB NOT NULL) STRICT")

    static func run(rounds: Int) async throws -> [Figure] {
        let signatures = try [SignatureAlgorithm.RS256, .ES256, .EdDSA, .HS256].map {
            Figure("sign.\($0.rawValue)", rounds: try SignatureCost.signing($0, rounds: rounds), .microseconds)
        }
        return (signatures + (try await echoes(rounds)) + (try await commits(rounds))).under("calibrate")
    }

    /// CPU µs of one HTTP request to a server that sends the body back: this program, in a process of its own.
    private static func echoes(_ rounds: Int) async throws -> [Figure] {
        let child = ChildProcess(executable: "/proc/self/exe", arguments: ["echo-server"])
        return try await child.run { process, output in
            var port = 0
            for try await line in output.strings() {
                port = Int(line.filter(\.isNumber)) ?? 0
                if port > 0 { break }
            }
            guard port > 0 else { throw LoadFailure.closed }
            var measured: [Double] = []
            // The first round warms up and is not counted.
            for number in 0...rounds {
                let before = try ProcessTimes(of: process)
                try await echo(port)
                let used = try ProcessTimes(of: process).seconds - before.seconds
                if number > 0 { measured.append(used * 1_000_000 / Double(requestsPerRound)) }
            }
            return [Figure("echo.nio", rounds: measured, .microseconds)]
        }
    }

    private static func echo(_ port: Int) async throws {
        try await LoadConnection.with(connectionCount, port: port) { connections in
            _ = try await LoadRun.over(connections, 0..<requestsPerRound, within: limit) { _, connection in
                let answer = try await connection.send(
                    LoadRequest("POST", "/echo", headers: LoadRequest.app, body: body))
                guard answer.status == 200, answer.body == body else { throw LoadFailure.closed }
            }
        }
    }

    /// Serves `echoes` until the process ends, by SIGTERM or, if it is forgotten, after a while.
    static func serveEchoes() async throws {
        try await LoopbackServer.run {
            ServedAnswer(status: 200, body: $0.body)
        } _: { server in
            Report.say("\(server.port)")
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// CPU µs of all threads, and µs of waiting, of one durable commit of one row: an immediate transaction with
    /// `synchronous=FULL`, through our group commit.
    private static func commits(_ rounds: Int) async throws -> [Figure] {
        try await ScratchFolder.run("commit") { folder in
            let database = try SQLiteDatabase.open(
                path: folder + "/bench.sqlite", migrations: [migration], logger: Logger(label: "bench"))
            var (cpu, wall): ([Double], [Double]) = ([], [])
            for _ in 0..<rounds {
                let (before, start) = (Machine.ownMicroseconds, ContinuousClock.now)
                for _ in 0..<commitsPerRound {
                    // 32 bytes, as a token's hash has.
                    try await database.write { try $0.run("INSERT INTO bench (token) VALUES (randomblob(32))") }
                }
                cpu.append((Machine.ownMicroseconds - before) / Double(commitsPerRound))
                wall.append((ContinuousClock.now - start) / .microseconds(1) / Double(commitsPerRound))
            }
            return [
                Figure("commit.cpu", rounds: cpu, .microseconds), Figure("commit.wall", rounds: wall, .microseconds),
            ]
        }
    }
}

/// The CPU µs of one signature on this machine, in several rounds.
enum SignatureCost {
    /// The size of the signing input of an access token of the `howru` policy.
    private static let messageBytes = 420
    /// CPU time of one round; some thousand times the resolution of the clock.
    private static let roundMicroseconds = 150_000.0
    private static let batch = 20

    static func signing(_ algorithm: SignatureAlgorithm, rounds: Int = 5) throws -> [Double] {
        let key = try SigningKey.generate(keyID: "bench", algorithm: algorithm)
        let message = SecureRandom.bytes(messageBytes)
        return try (0..<rounds).map { _ in try round { _ = try key.sign(message) } }
    }

    private static func round(_ operation: () throws -> Void) rethrows -> Double {
        var count = 0
        let start = Machine.ownMicroseconds
        while true {
            for _ in 0..<batch { try operation() }
            count += batch
            let used = Machine.ownMicroseconds - start
            if used >= roundMicroseconds { return used / Double(count) }
        }
    }
}
