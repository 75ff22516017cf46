import EdgeHTTP
import ServiceKit

/// The languages that a client accepts, best first.
enum AcceptedLanguages {
    /// - Parameter first: a language that the request specifies in another way.
    static func tags(_ head: RequestHead, after first: String? = nil) -> [String] {
        [first].compactMap { $0 }.filter(LanguageTags.isUsable)
            + LanguageTags.ranked(head.text("accept-language") ?? "")
    }
}
