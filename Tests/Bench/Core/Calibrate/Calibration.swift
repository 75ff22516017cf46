import AccessTokens

/// The cost of this machine's basic operations, by which figures of different machines can be scaled.
package enum Calibration {
    static let algorithms: [SignatureAlgorithm] = [.RS256, .ES256, .EdDSA, .HS256]

    /// CPU µs of one signature and one verification with each algorithm.
    package static func signatures(rounds: Int) throws -> [Figure] {
        var figures: [Figure] = []
        for algorithm in algorithms {
            let cost = try SignatureCost(algorithm)
            figures += figure("calibrate.sign.\(algorithm.rawValue)", try cost.signing(rounds: rounds))
            figures += figure("calibrate.verify.\(algorithm.rawValue)", try cost.verifying(rounds: rounds))
        }
        return figures
    }

    /// CPU µs of one request to a server that sends the body back.
    ///
    /// - Parameter executable: this program, which is the server as well.
    package static func echoes(rounds: Int, executable: String) async throws -> [Figure] {
        var figures: [Figure] = []
        for server in EchoServer.allCases {
            let measured = try await EchoCost.measure(server, rounds: rounds, executable: executable)
            figures += figure("calibrate.echo.\(server.rawValue)", measured)
        }
        return figures
    }

    /// CPU µs and µs of waiting of one durable commit.
    package static func commits(rounds: Int, in folder: String) async throws -> [Figure] {
        let measured = try await CommitCost.measure(rounds: rounds, in: folder)
        return figure("calibrate.commit.cpu", measured.map(\.cpu))
            + figure("calibrate.commit.wall", measured.map(\.wall))
    }

    private static func figure(_ name: String, _ microseconds: [Double]) -> [Figure] {
        Spread(microseconds).map { [Figure(name, $0, .microseconds)] } ?? []
    }
}
