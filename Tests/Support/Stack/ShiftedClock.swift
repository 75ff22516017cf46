import Foundation

/// A wall clock that a test sets for programs that it starts (`deploy/lib/clock-shift.c`); monotonic clocks stay right.
package struct ShiftedClock: Sendable {
    package struct NotBuilt: Error {}

    /// The time after which every program has read the file again.
    private static let noticed = Duration.milliseconds(300)

    private let library: String
    /// The file with the clock's error in seconds, a text such as `+3600`; client programs find it in `COMPAT_CLOCK`.
    package let file: String

    /// The variables that give a program this clock.
    package var environment: [String: String] { ["LD_PRELOAD": library, "CLOCK_SHIFT_FILE": file] }

    /// A clock that is right.
    ///
    /// - Parameter library: A library of ``build(in:)``.
    init(library: String, file: String) throws {
        self.library = library
        self.file = file
        try write(0)
    }

    /// A clock that is right, for all processes of a stack but Redis, which keeps its own time.
    package init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "latchkey-clock-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path(percentEncoded: false)
        try self.init(library: await Self.build(in: path), file: path + "/clock")
    }

    /// Builds the library that shifts clocks, and returns its path.
    static func build(in folder: String) async throws -> String {
        let library = folder + "/clock-shift.so"
        let made = try await Shell.run(
            "clang -shared -fPIC -O1 -o '\(library)' '\(LatchkeyStack.root)deploy/lib/clock-shift.c'", in: "/")
        guard made.isSuccess else { throw NotBuilt() }
        return library
    }

    /// Sets the clock, by seconds from the right time, and waits until the programs know.
    package func set(to seconds: Int) async throws {
        try write(seconds)
        try await Task.sleep(for: Self.noticed)
    }

    private func write(_ seconds: Int) throws {
        let text = seconds < 0 ? "\(seconds)" : "+\(seconds)"
        try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
    }
}
