/// One process to run: its executable, settings and ports.
package struct ProcessSpec: Sendable, Equatable {
    /// The order in which processes stop. No new requests arrive first, and every process has Redis until it exits.
    package enum StopPhase: Int, Sendable, CaseIterable { case edge, services, store }

    /// How long the process runs.
    package enum Life: Sendable, Equatable {
        /// Until the stack stops.
        case lasting
        /// Until the stack stops. The others neither wait for it nor notice its exits.
        case beside
        /// Until its job is done, again after each start of another process, or only once.
        case job(after: String?)
    }

    /// The short name, with `-2`, `-3` … for further replicas.
    package let name: String
    /// The absolute path of the executable.
    package let executable: String
    package let arguments: [String]
    package let environment: [String: String]
    package let servicePort: UInt16
    /// `nil` for Redis, which counts as ready once it accepts connections, and for jobs, which are ready when they are done.
    package let opsPort: UInt16?
    /// Whether it accepts from the public sockets, which the supervisor keeps open.
    package let takesPublicSockets: Bool
    package let stopPhase: StopPhase
    package var life = Life.lasting
}
