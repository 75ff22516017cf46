import Logging

/// An engine in which a process can store its data.
package struct StorageSource<Stores: Sendable>: Sendable {
    /// Refuses settings with which the engine cannot be used.
    package let check: @Sendable (ProcessSettings) throws -> Void
    private let open: @Sendable (ProcessContext) throws -> Stores
    private let unused: @Sendable (ProcessContext) -> String?

    /// - Parameters:
    ///   - check: Refuses settings with which the engine cannot be used.
    ///   - open: Opens the engine, blocking its thread. It throws `NotReadyYet` if another attempt may succeed.
    ///   - unused: Says which data the engine has while the process stores its data in another one; `nil` for none.
    package init(
        check: @escaping @Sendable (ProcessSettings) throws -> Void,
        open: @escaping @Sendable (ProcessContext) throws -> Stores,
        unused: @escaping @Sendable (ProcessContext) -> String? = { _ in nil }
    ) {
        self.check = check
        self.open = open
        self.unused = unused
    }

    /// Returns the one of two engines that a variable chooses. If the other one has data, the log says so at the start: a
    /// forgotten move is otherwise only seen by users who have no account any more.
    ///
    /// - Parameters:
    ///   - variable: The variable, e.g. `TOKEN_DATABASE_URL`.
    ///   - set: The engine if it has a value.
    ///   - unset: The engine if it has none.
    package static func chosen(by variable: String, set: Self, unset: Self) -> Self {
        @Sendable func engine(_ settings: ProcessSettings) -> Self { settings.variable(variable) == nil ? unset : set }
        return StorageSource(
            check: { try engine($0).check($0) },
            open: { context in
                let stores = try engine(context.settings).open(context)
                let other = context.settings.variable(variable) == nil ? set : unset
                if let found = other.unused(context) {
                    context.logger.warning(
                        "storage.unused_data",
                        metadata: ["found": "\(found)", "setting": "\(variable)"])
                }
                return stores
            })
    }

    /// Opens the engine, and waits until it can be used.
    ///
    /// Meanwhile the process serves its operations port, whose `/readyz` states the reason.
    package func opened(_ context: ProcessContext) async throws -> Stores {
        guard let wait = context.startWait else { return try open(context) }
        return try await wait.until("database") { try open(context) }
    }
}

/// Why something that a process needs at its start cannot be used yet, as a line for the operator.
package struct NotReadyYet: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
