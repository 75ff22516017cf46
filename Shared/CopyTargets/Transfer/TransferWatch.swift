import CCurl
import Glibc
import Synchronization

/// Measures the sockets of one libcurl handle, and ends a transfer that is too slow or cancelled.
///
/// It measures what the kernel knows of a connection: libcurl counts bytes as sent that are only in the kernel's buffer, and sees
/// no progress while they leave it.
final class TransferWatch: Sendable {
    enum Stop: Sendable { case tooSlow, cancelled }

    private struct State {
        /// The open sockets, each with the bytes that it had moved at the last measurement.
        var sockets: [CInt: Int] = [:]
        var moved = 0
        /// `nil` before the first measurement of a transfer.
        var pace: TransferPace?
        var measured = ContinuousClock.now
        var stop: Stop?
    }

    private let limits: TransferPace.Limits
    private let state = Mutex(State())

    init(_ limits: TransferPace.Limits) { self.limits = limits }

    /// Whether the transfer may continue. libcurl asks at least once a second.
    var goesOn: Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            guard state.stop == nil, state.pace == nil || now - state.measured >= limits.interval else {
                return state.stop == nil
            }
            for (socket, before) in state.sockets {
                let count = Int(latchkey_tcp_moved(socket))
                (state.sockets[socket], state.moved) = (count, state.moved &+ max(0, count - before))
            }
            var pace = state.pace ?? TransferPace(limits, bytes: state.moved, at: now)
            if pace.isTooSlow(bytes: state.moved, at: now) { state.stop = .tooSlow }
            (state.pace, state.measured) = (pace, now)
            return state.stop == nil
        }
    }

    /// Whether the task that waits for the transfer was cancelled.
    var isCancelled: Bool { state.withLock { $0.stop == .cancelled } }

    /// Ends the transfer that runs, or the next one. May be called by any thread.
    func cancel() { state.withLock { $0.stop = .cancelled } }

    /// Ends the watch of a transfer.
    ///
    /// - Returns: Why the transfer was stopped, or `nil` if it was not.
    func end() -> Stop? {
        state.withLock { state in
            defer { (state.pace, state.stop) = (nil, nil) }
            return state.stop
        }
    }

    /// Notes a socket that libcurl has opened.
    func opened(_ socket: CInt) { state.withLock { $0.sockets[socket] = 0 } }

    /// Closes a socket for libcurl.
    func close(_ socket: CInt) -> CInt {
        state.withLock { $0.sockets[socket] = nil }
        return Glibc.close(socket)
    }
}
