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
        // r, f, w and bl out of `skmem:(r0,rb131072,t0,tb2626560,f0,w0,o0,bl0,d0)` (ss(8)). The kernel has f as a signed number,
        // below zero while a socket owes pages, and `ss` prints it without its sign.
        let command = """
            ss -tmnH '( \(filter) )' | sed -nE 's/.*skmem:.(.*)\\).*/\\1/p' | tr ',' '\\n' | sed -nE 's/^(r|f|w|bl)([0-9]+)$/\\2/p' |
                awk '{ sum += $1 >= 2147483648 ? $1 - 4294967296 : $1 } END { print sum + 0 }'
            """
        let outcome = try await Shell.run(command, in: "/")
        guard outcome.isSuccess, let bytes = Double(outcome.output.filter { !$0.isWhitespace }) else {
            throw UnexpectedReply(description: "ss: \(outcome.output.suffix(300))")
        }
        sockets = bytes / 1_048_576
        resident = try ProcessMemory.resident(process)
    }
}
