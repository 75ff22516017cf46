import Glibc
import TestSupport

/// The memory that connections make an edge use, in megabytes (1,048,576 bytes): its own, and the kernel's for its sockets.
struct HeldMemory: Sendable, Equatable {
    /// `VmRSS`.
    let resident: Double
    /// The bytes that `ss -tm` shows as received, to be sent, reserved and in the backlog.
    let sockets: Double

    var total: Double { resident + sockets }

    /// The sockets of the clients at `port`, and those that lead to one of `upstreamPorts`.
    init(of process: pid_t, port: Int, upstreamPorts: [Int]) async throws {
        let filter = (["sport = :\(port)"] + upstreamPorts.map { "dport = :\($0)" }).joined(separator: " or ")
        let command =
            "ss -tmnH '( \(filter) )' | \(Self.fields) | awk '\(Self.sum)'"
        let outcome = try await Shell.run(command, in: "/")
        guard outcome.isSuccess, let bytes = Double(outcome.output.filter { !$0.isWhitespace }) else {
            throw UnexpectedReply(description: "ss: \(outcome.output.suffix(300))")
        }
        sockets = bytes / 1_048_576
        resident = try ProcessMemory(of: process).resident
    }

    /// Adds the four fields. The kernel has f as a signed number, below zero while a socket owes pages, and `ss` prints it
    /// without its sign.
    private static let sum =
        "{ if ($2 >= 2147483648) $2 -= 4294967296; sum += $1 + $2 + $3 + $4 } END { print sum + 0 }"

    /// Takes r, f, w and bl out of `skmem:(r0,rb131072,t0,tb2626560,f0,w0,o0,bl0,d0)` (ss(8)).
    private static let fields =
        "sed -nE 's/.*skmem:.r([0-9]+),rb[0-9]+,t[0-9]+,tb[0-9]+,f([0-9]+),w([0-9]+),o[0-9]+,bl([0-9]+).*/\\1 \\2 \\3 \\4/p'"
}
