import ArgumentParser
import BenchCore

/// The load that `gateway --tls` runs in a process of its own, on a core of its own.
struct Handshakes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Option var port: Int
    @Option var seconds: Double
    @Option var lanes: Int
    @Option var trust: String

    func validate() throws {
        guard (1...65_535).contains(port), (0.1...600).contains(seconds), (1...1000).contains(lanes) else {
            throw ValidationError("--port must be 1 to 65535, --seconds 0.1 to 600, --lanes 1 to 1000")
        }
    }

    func run() async throws {
        let load = HandshakeLoad(port: port, laneCount: lanes, seconds: seconds, tls: try LoadTLS(trusting: trust))
        Report.say(await load.run().line)
    }
}
