import Glibc
import TestSupport

/// How much CPU each process of a stack, the load generator and the whole machine have used until one moment.
struct Clocks: Sendable {
    /// Seconds by short name of the process; replicas apart.
    private let seconds: [String: Double]
    private let processes: [String: pid_t]
    private let ownMicroseconds = Machine.ownMicroseconds
    private let machineSeconds = Machine.busySeconds
    private let moment = ContinuousClock.now

    /// A process that ended in between took its time with it.
    struct Restarted: Error {}

    init(seconds: [String: Double], processes: [String: pid_t]) {
        self.seconds = seconds
        self.processes = processes
    }

    init(_ stack: LatchkeyStack) throws {
        let processes = try stack.processIDs
        var seconds = try processes.mapValues { try ProcessTimes(of: $0).seconds }
        if let server = stack.database?.server {
            // The processor time of connections that have ended belongs to the server too.
            seconds["postgres"] = try server.processIDs.reduce(0) { try $0 + ProcessTimes(of: $1).seconds }
        }
        self.init(seconds: seconds, processes: processes)
    }

    /// Returns the CPU time used since `earlier`, by process; replicas (`otp-2`) are added to their service.
    ///
    /// - Throws: `Restarted` when the processes are not the same.
    func used(since earlier: Clocks) throws -> [String: Double] {
        guard processes == earlier.processes else { throw Restarted() }
        var used: [String: Double] = [:]
        for (name, total) in seconds {
            used[Self.service(of: name), default: 0] += total - (earlier.seconds[name] ?? 0)
        }
        return used
    }

    /// The rate and the cost of `count` operations since `earlier`: the CPU of one, over `charged` and by process.
    ///
    /// - Parameters:
    ///   - atMost: the bound of the CPU over all charged processes.
    ///   - rateAtLeast: the bound of the rate.
    func costs(
        of count: Int, since earlier: Clocks, charged: [String], atMost: Double? = nil, rateAtLeast: Double? = nil
    ) throws -> [Figure] {
        let used = try used(since: earlier)
        let wallSeconds = (moment - earlier.moment) / .seconds(1)
        let own = ownMicroseconds - earlier.ownMicroseconds
        let others = machineSeconds - earlier.machineSeconds - used.values.reduce(0, +) - own / 1_000_000
        func cpu(_ names: [String]) -> Double { names.reduce(0) { $0 + (used[$1] ?? 0) } * 1_000_000 / Double(count) }
        return [
            Figure(
                "rate", Double(count) / wallSeconds, .perSecond, bound: rateAtLeast.map { .atLeast($0) }),
            Figure("cpu.total", cpu(charged), .microseconds, bound: atMost.map { .atMost($0) }),
        ]
            + used.keys.sorted().map { Figure("cpu.\($0)", cpu([$0]), .microseconds) }
            + [
                Figure("cpu.load-generator", own / Double(count), .microseconds),
                Figure("others", others / wallSeconds, .cores),
            ]
    }

    /// `otp-2` → `otp`; `sample-api` stays.
    private static func service(of process: String) -> String {
        guard let dash = process.lastIndex(of: "-"), Int(process[process.index(after: dash)...]) != nil else {
            return process
        }
        return String(process[..<dash])
    }
}
