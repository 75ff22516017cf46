/// The page of a provider that is open, and the proof by which calls for it are one sign-in.
///
/// The system can close a page without a word, such as when the device is locked while it asks whether to open it. A user who then
/// presses the button again must get another page, and not wait for the first.
final class OpenPage: Sendable {
    /// The time in which a second press is part of a double tap.
    private static let doubleTap: Duration = .seconds(2)
    private let content = Locked(Content())

    private struct Content: Sendable {
        var last = 0
        var proofs: [String: String] = [:]
        var open: (proof: String, since: Duration)?
    }

    /// Returns the proof of a sign-in at a provider's page, and that of the open page which it replaces.
    func proof(_ provider: String, at now: Duration) -> (proof: String, replaced: String?) {
        content.withLock { content in
            let known = content.proofs[provider]
            let open = content.open
            if let known, open.map({ $0.proof == known && now - $0.since <= Self.doubleTap }) ?? true {
                return (known, nil)
            }
            content.last += 1
            content.open = nil
            let proof = "browser \(content.last)"
            content.proofs[provider] = proof
            return (proof, open?.proof)
        }
    }

    func opens(_ proof: String, at now: Duration) { content.withLock { $0.open = (proof, now) } }

    func closes(_ proof: String) { content.withLock { if $0.open?.proof == proof { $0.open = nil } } }
}
