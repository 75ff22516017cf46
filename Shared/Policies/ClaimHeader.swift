/// A request header by which a route passes a mapped claim to its upstream.
package struct ClaimHeader: Sendable, Equatable {
    /// The most such headers of a route.
    package static let countMax = 8

    /// The header's name.
    package let name: String
    /// The claim's name.
    package let claim: String

    package init(name: String, claim: String) { (self.name, self.claim) = (name, claim) }

    /// The beginnings of names that the gateway or a proxy in front states, or that have a meaning of their own.
    ///
    /// All other names that begin with `X-` are free: no header that belongs to one connection, frames a message or is in a standard
    /// of HTTP begins so.
    static let reservedBeginnings = [
        "x-forwarded", "x-latchkey", "x-user-", "x-session-", "x-original-", "x-http-method", "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip", "x-rewrite-url", "x-method-override", "x-request-id", "x-acting-", "x-amzn-", "x-amz-",
        "x-goog-",
        "x-envoy-", "x-b3-", "x-csrf-", "x-xsrf-", "x-requested-with", "x-content-type-options", "x-frame-options",
        "x-xss-protection",
    ]

    /// Whether the policy may choose a name.
    static func isFree(_ name: String) -> Bool {
        let folded = name.lowercased()
        return folded.hasPrefix("x-") && !folded.hasSuffix("-") && !reservedBeginnings.contains(where: folded.hasPrefix)
    }

    static let nameRule: TextRule = {
        let rule = TextRule.ascii(3...64, of: "A-Za-z0-9-", "")
        return TextRule(
            "X- and at most 62 of A-Z a-z 0-9 -, not the name of an identity, a forwarded or another known header"
        ) { rule.parse($0) != nil && isFree($0) }
    }()
}

extension KeyForm where Value == [ClaimHeader] {
    /// A section whose keys are names of headers.
    ///
    /// - Parameter claims: The claims that profiles map.
    static func claimHeaders(_ claims: [String]) -> KeyForm {
        .named(
            0...ClaimHeader.countMax, ClaimHeader.nameRule, \.name,
            .text(.entry(of: "profiles.*.mappedClaims", claims)), \.claim
        ) { ClaimHeader(name: $0, claim: $1) }
    }
}

extension Route {
    func checkClaimHeaders(_ section: PolicySection) {
        if !claimHeaders.isEmpty, [.open, .client].contains(access) {
            section.refuse(
                "claimHeaders",
                "requests of this route have no user with claims. Remove this key, or use another access.")
        }
        let names = claimHeaders.map { $0.name.lowercased() }
        if Set(names).count != names.count {
            section.refuse("claimHeaders", "contains a header twice. Letter case does not tell headers apart.")
        }
    }
}

extension Policy {
    /// The names of the headers of all routes that have claims, in lower case. No client may send them on any route.
    package var claimHeaderNames: Set<String> { Set(routes.flatMap(\.claimHeaders).map { $0.name.lowercased() }) }
}
