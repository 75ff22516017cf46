/// The error numbers of the Keychain (`OSStatus`) that the library tells apart.
enum KeychainStatus {
    static let success: Int32 = 0
    static let duplicate: Int32 = -25299
    static let notFound: Int32 = -25300
    /// The item's protection class is locked.
    static let interactionNotAllowed: Int32 = -25308
    static let undecodable: Int32 = -26275
    static let missingEntitlement: Int32 = -34018

    /// The trouble that a failed operation means for the session.
    static func trouble(_ status: Int32) -> StoreTrouble {
        status == interactionNotAllowed ? .protectedData : .denied(Int(status))
    }
}

/// The names of the library's items.
enum KeychainService {
    /// The service of one kind of item.
    ///
    /// Without an access group, a search covers all groups of the app, and one of them may be shared with other apps of the
    /// team. So the app's own items contain its bundle identifier.
    static func name(_ kind: String, group: String?, bundle: String?) -> String {
        guard group == nil, let bundle else { return "latchkey.\(kind)" }
        return "latchkey.\(kind).\(bundle)"
    }
}

extension StoreTrouble {
    /// Advice to the developer; empty if the number says enough.
    var hint: String {
        guard case .denied(let status) = self, status == KeychainStatus.missingEntitlement else { return "" }
        return
            " (errSecMissingEntitlement: sign the app with the entitlement keychain-access-groups, and name no other group)"
    }
}
