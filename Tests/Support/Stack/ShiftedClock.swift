import Foundation

/// A wall clock that a test sets for a program that libfaketime cannot start (`deploy/lib/clock-shift.c`).
package struct ShiftedClock: Sendable {
    private let library: String
    private let file: String

    /// The variables that give a program this clock.
    package var environment: [String: String] { ["LD_PRELOAD": library, "CLOCK_SHIFT_FILE": file] }

    /// A clock that is right.
    init(in folder: String) async throws {
        library = folder + "/clock-shift.so"
        file = folder + "/clock-shift"
        let made = try await Shell.run(
            "cc -shared -fPIC -O1 -o '\(library)' '\(LatchkeyStack.root)deploy/lib/clock-shift.c'", in: "/")
        guard made.isSuccess else { throw MovableClock.NotInstalled() }
        try Self.bytes(0).write(to: URL(filePath: file))
    }

    /// Sets the clock, by seconds from the right time. The program knows it at once.
    package func set(to seconds: Int) throws {
        // Written in place, since the program has the file mapped.
        let open = try FileHandle(forUpdating: URL(filePath: file))
        try open.write(contentsOf: Self.bytes(seconds))
        try open.close()
    }

    private static func bytes(_ seconds: Int) -> Data {
        Data((0..<8).map { UInt8(truncatingIfNeeded: Int64(seconds) >> (8 * $0)) })
    }
}
