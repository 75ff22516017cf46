import EdgeHTTP
import Policies

/// The files that phones fetch to learn which apps may open our links and fill in our passwords. A deployment without an app of a
/// kind does not serve that kind's file.
struct AppLinks: Sendable {
    private static let ageSecondsMax = 3_600

    let ios: AppleAppSiteAssociation?
    let android: [AndroidAssetLink]

    /// - Parameter paths: the paths of links that an app opens.
    init(_ policy: AppsPolicy = AppsPolicy(), paths: [String] = [EmailPolicy.linkPath]) {
        ios = policy.ios.isEmpty ? nil : AppleAppSiteAssociation(appIDs: policy.ios, paths: paths)
        android = policy.android.map(AndroidAssetLink.init)
    }

    var rows: [DialectRow] {
        let apple = ios.map { file in
            DialectRow(.get, "/.well-known/apple-app-site-association", .open, counting: .nothing) {
                _, _ throws(Refusal) in Self.reply(file)
            }
            .documented(.deployment, "Lists the apps of apps.ios for Apple's phones", .json(.any))
        }
        let google =
            android.isEmpty
            ? nil
            : DialectRow(.get, "/.well-known/assetlinks.json", .open, counting: .nothing) {
                [android] _, _ throws(Refusal) in
                Self.reply(android)
            }
            .documented(.deployment, "Lists the apps of apps.android for Android phones", .json(.any))
        return [apple, google].compactMap { $0 }
    }

    /// Returns a file that changes only with the policy.
    static func reply(_ file: some Encodable) -> Reply {
        .json(file, cacheControl: "public, max-age=\(ageSecondsMax)")
    }
}

/// Apple's file: universal links to our pages, and shared web credentials.
struct AppleAppSiteAssociation: Encodable, Sendable {
    let applinks: Links
    let webcredentials: Apps

    init(appIDs: [String], paths: [String] = [EmailPolicy.linkPath]) {
        let components = paths.map { Component(path: $0, query: ["token": "*"]) }
        applinks = Links(details: [Detail(appIDs: appIDs, components: components)])
        webcredentials = Apps(apps: appIDs)
    }

    struct Links: Encodable, Sendable { let details: [Detail] }
    struct Apps: Encodable, Sendable { let apps: [String] }

    struct Detail: Encodable, Sendable {
        let appIDs: [String]
        let components: [Component]
    }

    struct Component: Encodable, Sendable {
        let path: String
        let query: [String: String]

        private enum CodingKeys: String, CodingKey {
            case path = "/"
            case query = "?"
        }
    }
}

/// One app of Google's file.
struct AndroidAssetLink: Encodable, Sendable {
    let relation = ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"]
    let target: Target

    init(_ app: AppsPolicy.Android) {
        target = Target(package_name: app.package, sha256_cert_fingerprints: app.fingerprints)
    }

    struct Target: Encodable, Sendable {
        let namespace = "android_app"
        let package_name: String
        let sha256_cert_fingerprints: [String]
    }
}
