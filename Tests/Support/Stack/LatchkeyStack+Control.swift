extension LatchkeyStack {
    /// `deploy/ctl` against this stack, as its operator runs it.
    package func control(_ arguments: String) async throws -> Shell.Outcome {
        try await Shell.run(
            "'\(Self.root)deploy/ctl' \(arguments)", in: "/", environment: ["LATCHKEY_DATA_DIR": dataDirectory])
    }
}
