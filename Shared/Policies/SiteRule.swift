/// Whether two hosts belong to one site, so that browsers send `SameSite` cookies from pages of one to the other.
///
/// Browsers decide by the public suffix list. Here the site of a host is its last two labels, or three below a common second
/// level such as `co.uk`. A host that this rule judges wrongly is refused by browsers all the same, since they do not send the
/// cookies; the rule only makes the usual mistakes visible when the policy is read.
package enum SiteRule {
    private static let secondLevels: Set<Substring> = [
        "ac", "co", "com", "edu", "gob", "gov", "gouv", "ne", "net", "nom", "or", "org",
    ]

    /// Whether pages of `origin` are on the site of the API at `host`.
    package static func isSameSite(origin: String, host: String) -> Bool {
        guard let other = PublicURL(origin)?.host else { return false }
        return other == host || site(of: other).map { $0 == site(of: host) } == true
    }

    /// Returns the site of a host name; `nil` for an IP address, which is a site of its own.
    static func site(of host: String) -> String? {
        guard IPAddress(Substring(host)) == nil else { return nil }
        let labels = host.split(separator: ".")
        let isCountry = labels.last?.utf8.count == 2
        let isSecondLevel = labels.count > 2 && isCountry && secondLevels.contains(labels[labels.count - 2])
        return labels.suffix(isSecondLevel ? 3 : 2).joined(separator: ".")
    }
}
