/// The texts of a page behind a link with one button, in one language. `{app}` represents its value.
package struct ButtonPageTexts: TextSection, Equatable {
    package var title = "", advice = "", button = "", done = "", invalidLink = "", unavailable = ""

    /// Empty texts, which nothing shows.
    package init() {}
}

extension ButtonPageTexts {
    /// Section `page` of `address` and `notMe` in a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .line("title", \.title), .line("advice", \.advice), .line("button", \.button), .line("done", \.done),
        .line("invalidLink", \.invalidLink), .line("unavailable", \.unavailable),
    ]
}
