internal import StrictJSON

/// What a refresh may not ask for: rights and audience are the session's, and do not grow (security guide R-34).
enum AskedRights {
    private static let names: Set<String> = ["scope", "aud", "audience", "resource", "role", "claims"]

    /// Whether the body asks for rights of its own; a body that is no JSON object asks for nothing.
    static func isAsking(_ body: [UInt8]) -> Bool {
        do {
            let value = try StrictJSON.parse(body, limits: .init(bytesMax: body.count, depthMax: ClientBody.depthMax))
            return value.objectValue?.members.contains { names.contains($0.name) } ?? false
        } catch { return false }
    }
}
