/// One process to run: what, with which settings, on which ports.
package struct ProcessSpec: Sendable, Equatable {
    /// What stops before what: nothing new comes in first, nothing is left without Redis before its end.
    package enum StopPhase: Int, Sendable, CaseIterable { case edge, services, store }

    /// How long the process runs.
    package enum Life: Sendable, Equatable {
        /// Until the stack stops.
        case lasting
        /// Until its job is done, again after each start of another process.
        case job(after: String)
    }

    /// Short name, with `-2`, `-3` … for further replicas.
    package let name: String
    /// Absolute path.
    package let executable: String
    package let arguments: [String]
    package let environment: [String: String]
    package let servicePort: UInt16
    /// `nil` for Redis, which counts as ready once it accepts connections, and for jobs, which are ready when they are done.
    package let opsPort: UInt16?
    /// Whether it accepts from the public sockets, which the supervisor holds.
    package let takesPublicSockets: Bool
    package let stopPhase: StopPhase
    package var life = Life.lasting
}
