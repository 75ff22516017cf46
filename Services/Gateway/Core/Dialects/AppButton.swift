import Policies

/// The button of a page that opens the app.
enum AppButton {
    /// The button as HTML; empty if the policy has no `apps.scheme`.
    ///
    /// - Parameters:
    ///   - target: what follows `scheme://`.
    ///   - text: HTML.
    static func html(to target: String, _ text: String, _ catalog: MessageCatalog) -> String {
        catalog.scheme.map { "<a href=\"\($0)://\(target)\" class=\"button\">\(text)</a>" } ?? ""
    }
}
