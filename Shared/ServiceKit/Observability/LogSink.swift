import Glibc
import NIOPosix
import Synchronization

/// Writes log lines to a file descriptor on a thread of its own.
///
/// A reader that does not read never delays a request: lines that do not fit into the buffer are dropped and counted (security
/// guide F-64).
package final class LogSink: Sendable {
    /// The maximal number of bytes that wait.
    static let waitingBytesMax = 1 << 20
    /// How long the first line waits for others, in microseconds. For a busy process, waking the thread and writing each line
    /// separately costs more than making the lines.
    private static let gatheringMicroseconds: UInt32 = 5_000

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        var droppedLines: UInt64 = 0
    }

    private let descriptor: Int32
    /// The file that the lines go to; `nil` for a pipe or a terminal.
    private let file: LogFilePlace?
    private let state = Mutex(State())
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// - Parameter descriptor: Standard output by default; it stays open.
    package init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        file = LogFilePlace(of: descriptor)
        thread.start()
    }

    /// The number of lines that were dropped since the start.
    package var droppedLines: UInt64 { state.withLock(\.droppedLines) }

    /// Whether lines wait or are being written.
    package var isWriting: Bool { state.withLock(\.isWriting) }

    /// Appends a line, with its line end, to those that wait.
    package func append(_ line: [UInt8]) {
        let mustWake = state.withLock { state in
            guard state.waiting.count + line.count <= Self.waitingBytesMax else {
                state.droppedLines += 1
                return false
            }
            state.waiting += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustWake { thread.submit { _ in self.writeWaiting() } }
    }

    /// Waits at most `milliseconds` until all lines are written. Used at the end of the process.
    package func flush(milliseconds: Int = 500) {
        for _ in 0..<milliseconds where isWriting { usleep(1000) }
    }

    private func writeWaiting() {
        repeat { usleep(Self.gatheringMicroseconds) } while writeOnce()
    }

    /// Writes the lines that wait, or returns false if there are none.
    private func writeOnce() -> Bool {
        guard let chunk = takeWaiting() else { return false }
        file?.keep(open: descriptor)
        write(chunk)
        return true
    }

    private func takeWaiting() -> [UInt8]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let chunk = state.waiting
            state.waiting = []
            return chunk
        }
    }

    private func write(_ chunk: [UInt8]) {
        unsafe chunk.withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            while let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
                let written = unsafe Glibc.write(descriptor, start, rest.count)
                guard written > 0 else {
                    if errno == EINTR { continue }
                    return
                }
                unsafe rest = rest.dropFirst(written)
            }
        }
    }
}
