import FoundationEssentials

/// howru's policy with other values, for tests that need them.
package enum PolicyText {
    /// The text to be changed is not there: howru has changed.
    package struct NotFound: Error { let text: String }

    /// Takes away howru's limit of refreshes.
    package static let unlimitedRefreshes = ["limit: { max: 10, windowSeconds: 60 }": "limit: none"]

    /// Takes away howru's minute in which a lost answer is had again without a key: I-1 then holds.
    package static let noRepeatsWithoutKey = ["repeatWithoutKeySeconds: 60": "repeatWithoutKeySeconds: 0"]

    /// Sends a lost answer again for as long as its token is unused.
    package static let repeatsUntilUsed = ["repeatWithoutKeySeconds: 60": "repeatWithoutKeySeconds: untilUsed"]

    /// Lets people register with an address and a password.
    package static let passwords = [
        "trustedProxies: []": "trustedProxies: []\npasswords: {}", "registration: closed": "registration: open",
    ]

    /// Lets users add passkeys, of which further ones work at once, and one-time passwords.
    package static let secondFactors = [
        "audience: howru-api": "passkeys: { rpID: localhost, addDelayHours: 0 }\nmfa: {}\naudience: howru-api"
    ]

    /// The file's text with `changes`, old to new.
    package static func howru(changing changes: [String: String]) throws -> String {
        var text = try String(contentsOfFile: LatchkeyStack.root + "deploy/policies/howru.yaml", encoding: .utf8)
        for (old, new) in changes {
            guard text.contains(old) else { throw NotFound(text: old) }
            text.replace(old, with: new)
        }
        return text
    }
}
