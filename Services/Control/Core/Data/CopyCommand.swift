import ArgumentParser
import ContinuousCopy
import CopyTargets
import FoundationEssentials
import Glibc
import Logging
import SQLiteStore
import ServiceKit

/// `latchkeyctl copy --data DIR --to TARGET --key-file FILE`
struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies both databases again and again, encrypted, while the services run.",
        discussion: """
            Runs until it is stopped, and may be killed at any time. A target is a folder on another disk, \
            sftp://user@host/path or s3://bucket/prefix?region=NAME. After the first copy of everything it copies the pages that \
            have changed. 'restore --from TARGET --key-file FILE' brings the databases back as of any moment. Keep the key file \
            elsewhere too: without it no copy can be read. deploy/docs/run/backup.md#continuous-copy explains the rest.
            """)

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @Option(help: "The target; default $LATCHKEY_COPY_TO.")
    var to: String?

    @Option(help: "The pause from one copy to the next, 1s to 1h; default 5s, more if --keep is over 9d.")
    var every: SpanArgument?

    @Option(help: "A file with one line of at least 32 random characters; default $LATCHKEY_COPY_KEY_FILE.")
    var keyFile: String?

    @Option(help: "How long moments can be restored, 1h to 400d; default $LATCHKEY_COPY_KEEP, or 7d.")
    var keep: SpanArgument?

    @Flag(help: "Use a target that belonged to another copier, which must not run any more.")
    var takeOver = false

    func run() async throws {
        try FilesOnly.require(FilesOnly.backupHint)
        // It reads no file again, and a SIGHUP for all processes must not end it.
        signal(SIGHUP, SIG_IGN)
        let sink = LogSink()
        LoggingSystem.bootstrap { _ in JSONLogHandler(process: "copier", level: .info, sink: sink) }
        let logger = Logger(label: "copier")
        do throws(CopyFailure) {
            let settings = try settings(ProcessInfo.processInfo.environment)
            // A folder that was the target before is empty when its disk is not mounted.
            let target = try CopyTargetAddress.target(settings.target, mayMark: earlierTarget() != settings.target)
            let copier = try Copier(settings, target: target, logger: logger, clock: UnixTime.seconds)
            logger.info("copier.started", metadata: ["every": "\(settings.interval.components.seconds) s"])
            try await copier.run()
        } catch {
            sink.flush()
            throw CommandFailure(description: error.description)
        }
    }

    private static let everySeconds: Int64 = 5
    private static let everyRange: ClosedRange<Int64> = 1...3_600
    private static let keepSeconds: Int64 = 7 * 86_400
    private static let keepRange: ClosedRange<Int64> = 3_600...400 * 86_400

    private func settings(_ variables: [String: String]) throws(CopyFailure) -> CopierSettings {
        func text(_ option: String?, _ name: String, _ use: String) throws(CopyFailure) -> String {
            guard let text = option ?? variables[name], !text.isEmpty else { throw CopyFailure(.unexpected, use) }
            return text
        }
        let keep = try kept(variables["LATCHKEY_COPY_KEEP"])
        guard Self.keepRange.contains(keep) else { throw CopyFailure(.unexpected, "--keep is 1h to 400d") }
        let everyMin = PointPlan.everyMin(keepSeconds: keep)
        let every = every?.seconds ?? max(Self.everySeconds, everyMin)
        guard Self.everyRange.contains(every) else { throw CopyFailure(.unexpected, "--every is 1s to 1h") }
        guard every >= everyMin else {
            throw CopyFailure(
                .unexpected, "with this --keep, --every is \(everyMin)s or more: a target lists no more copies")
        }
        return CopierSettings(
            databases: Databases.locations(in: dataDirectory).map { .init(name: $0.name, path: $0.path) },
            folder: Databases.folder(of: "copier", in: dataDirectory),
            target: try text(to, "LATCHKEY_COPY_TO", "use --to TARGET, or set LATCHKEY_COPY_TO"),
            seal: try CopySeal(
                keyFile: try text(
                    keyFile, "LATCHKEY_COPY_KEY_FILE", "use --key-file FILE, or set LATCHKEY_COPY_KEY_FILE")),
            interval: .seconds(every), keepSeconds: keep, takesOver: takeOver)
    }

    private func earlierTarget() throws(CopyFailure) -> String? {
        do {
            let state = try CopierState.read(in: Databases.folder(of: "copier", in: dataDirectory))
            // A target that could not be used so far, such as a folder of another owner, has no marker yet.
            return state?.hasCopied == true ? state?.target : nil
        } catch { throw CopyFailure(any: error) }
    }

    private func kept(_ variable: String?) throws(CopyFailure) -> Int64 {
        if let keep { return keep.seconds }
        guard let variable, !variable.isEmpty else { return Self.keepSeconds }
        guard let span = SpanArgument(argument: variable) else {
            throw CopyFailure(.unexpected, "LATCHKEY_COPY_KEEP is not a span such as 7d")
        }
        return span.seconds
    }
}

extension CopyTargetAddress {
    /// Opens the target with the credentials in this process's variables and secret files.
    ///
    /// - Parameter mayMark: Whether an empty folder becomes a target.
    static func target(_ address: String, mayMark: Bool = false) throws(CopyFailure) -> any CopyTarget {
        do { return try CopyTargetAddress(address).open(CopyCredentials(), mayMark: mayMark) } catch let error
            as CopyTargetAddressError
        {
            throw CopyFailure(.unexpected, error.description)
        } catch { throw CopyFailure(.unexpected, "\(error)") }
    }
}
