import Policies
import ServiceKit

/// The policies that Latchkey ships, by their names.
enum ShippedPolicy {
    static let texts = [
        "aarokya": PackageResources.aarokya_yaml,
        "gremlin": PackageResources.gremlin_yaml,
        "howru": PackageResources.howru_yaml,
        "starter": PackageResources.starter_yaml,
        "uta": PackageResources.uta_yaml,
        "voltyks": PackageResources.voltyks_yaml,
    ]

    /// Returns the shipped policy of a name, or `nil` if there is none.
    ///
    /// - Parameter appName: The app's name if the file has none.
    static func named(_ name: String, appName: String?) -> Policy? {
        guard let text = texts[name] else { return nil }
        do throws(PolicyError) {
            return try Policy.parse(String(decoding: text, as: UTF8.self), file: "\(name).yaml", appName: appName)
        } catch { return nil }
    }
}

extension AdminPolicyReport {
    /// - Parameter shipped: The policy with which it is compared; `nil` if there is none.
    init(_ running: Policy, shipped: Policy?) {
        (name, hash, isShipped) = (running.name, running.hash, shipped != nil)
        differences = (shipped?.differences(to: running) ?? []).map { difference in
            let isSecret = [difference.old, difference.new].contains { $0?.isSecret == true }
            return AdminPolicyDifference(
                key: difference.keyPath, running: isSecret ? nil : difference.new?.text,
                shipped: isSecret ? nil : difference.old?.text, isSecret: isSecret)
        }
        limits = running.values.filter { !$0.isSecret && Self.isLimit($0.keyPath) }.map {
            AdminPolicyLimit(key: $0.keyPath, value: $0.text)
        }
    }

    /// Whether a key says how often something may happen, or how much of it there may be.
    private static func isLimit(_ keyPath: String) -> Bool {
        keyPath.split(whereSeparator: { ".[]".contains($0) }).contains { key in
            ["limit", "authLimit", "lockouts", "budget", "max", "windowSeconds"].contains(key) || key.hasSuffix("Max")
                || key.hasPrefix("sends") || key.hasPrefix("attempts")
        }
    }
}
