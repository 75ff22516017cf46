package import Policies
import StrictJSON

/// The files that the host of the RP ID has to serve if it is not the gateway's: browsers and phones read them there only.
package enum PasskeyFiles {
    /// Returns each file's URL and contents.
    ///
    /// - Parameter publicURL: The URL at which clients reach the gateway; `nil` if nothing states one.
    package static func elsewhere(
        of policy: Policy, publicURL: PublicURL?
    ) throws -> [(url: String, contents: String)] {
        guard let passkeys = policy.passkeys, let id = policy.relyingPartyID(publicURL: publicURL),
            id != publicURL?.host.lowercased()
        else { return [] }
        var files: [(url: String, contents: String)] = []
        func add(_ name: String, _ file: some Encodable) throws {
            let contents = String(decoding: try StrictJSON.encode(file), as: UTF8.self)
            files.append(("https://\(id)/.well-known/\(name)", contents))
        }
        if !passkeys.relatedOrigins.isEmpty {
            try add("webauthn", RelatedOrigins(origins: passkeys.relatedOrigins))
        }
        if !policy.apps.ios.isEmpty {
            try add(
                "apple-app-site-association",
                ["webcredentials": AppleAppSiteAssociation(appIDs: policy.apps.ios).webcredentials])
        }
        if !policy.apps.android.isEmpty { try add("assetlinks.json", policy.apps.android.map(AndroidAssetLink.init)) }
        return files
    }
}
