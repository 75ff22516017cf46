/// An engine in which a process can store its data.
package struct StorageSource<Stores: Sendable>: Sendable {
    /// Refuses settings with which the engine cannot be used.
    package let check: @Sendable (ProcessSettings) throws -> Void
    private let open: @Sendable (ProcessContext) throws -> Stores

    /// - Parameters:
    ///   - check: Refuses settings with which the engine cannot be used.
    ///   - open: Opens the engine, blocking its thread. It throws `NotReadyYet` if another attempt may succeed.
    package init(
        check: @escaping @Sendable (ProcessSettings) throws -> Void,
        open: @escaping @Sendable (ProcessContext) throws -> Stores
    ) {
        self.check = check
        self.open = open
    }

    /// Returns the one of two engines that a variable chooses.
    ///
    /// - Parameters:
    ///   - variable: The variable, e.g. `TOKEN_DATABASE_URL`.
    ///   - set: The engine if it has a value.
    ///   - unset: The engine if it has none.
    package static func chosen(by variable: String, set: Self, unset: Self) -> Self {
        @Sendable func engine(_ settings: ProcessSettings) -> Self { settings.variable(variable) == nil ? unset : set }
        return StorageSource(check: { try engine($0).check($0) }, open: { try engine($0.settings).open($0) })
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
