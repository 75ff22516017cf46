import FoundationEssentials

/// The stack's processes with a token-service that commits under `synchronous=NORMAL`: what a test of power loss must find.
///
/// Made of the very binary that is tested: of its texts, the pragma that sets FULL says NORMAL, and the one that reads it
/// back always says 2.
package enum UnsyncedBinaries {
    /// The binary does not hold the two texts once each.
    package struct NotThere: Error, CustomStringConvertible { package let description: String }

    /// Runs `body` with the folder of these processes, and removes it on every path.
    package static func run<Value: Sendable>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder =
            FileManager.default.temporaryDirectory.path(percentEncoded: false) + "unsynced-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            let made = try await Shell.run(script, in: folder, environment: ["FROM": LatchkeyStack.binaries])
            guard made.isSuccess else { throw NotThere(description: made.output) }
            let value = try await body(folder)
            try FileManager.default.removeItem(atPath: folder)
            return value
        } catch {
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// The supervisor looks for the others in its own folder, and so must be a copy.
    private static let script = #"""
        set -euo pipefail
        export LC_ALL=C
        ln -s "$FROM"/{gateway,otp-service,user-service,inbox,sample-api,latchkeyctl} .
        cp "$FROM/supervisor" .
        for text in 'PRAGMA synchronous = FULL\x00' '\x00PRAGMA synchronous\x00'; do
            [[ $(grep -aoP "$text" "$FROM/token-service" | tr -d '\0' | wc -l) == 1 ]] ||
                { echo "not once in token-service: $text"; exit 1; }
        done
        sed -e 's/PRAGMA synchronous = FULL\x00/PRAGMA synchronous = 1   \x00/' \
            -e 's/\x00PRAGMA synchronous\x00/\x00SELECT 2          \x00/' "$FROM/token-service" > token-service
        chmod +x token-service
        """#
}
