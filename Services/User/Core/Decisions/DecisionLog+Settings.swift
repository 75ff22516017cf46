import Policies
import ServiceKit

extension DecisionLog {
    /// Creates the job from a process' settings, or returns `nil` if no folder is set for the list.
    init?(
        _ context: ProcessContext, _ storage: UserStorage, holder: String, now: @escaping @Sendable () -> Int64
    ) throws {
        guard let folder = try Self.folder(context.settings) else { return nil }
        self.init(
            queries: storage.queries, leases: storage.leases, file: DecisionFile(folder: folder),
            userIDPrefix: context.policy.userIDPrefix,
            holder: holder, now: now, logger: context.logger)
    }

    /// `LATCHKEY_DECISIONS_DIR`; `nil` if it is not set.
    static func folder(_ settings: ProcessSettings) throws(SettingsError) -> String? {
        let setting = "LATCHKEY_DECISIONS_DIR"
        guard let folder = settings.variable(setting) else { return nil }
        try FileAccess.requireWritable(folder: folder, setting: setting)
        // A user who can delete lines there undoes those decisions at the next restore.
        try FileAccess.requireOwn(folder, setting: setting, in: settings.environment)
        return folder
    }
}
