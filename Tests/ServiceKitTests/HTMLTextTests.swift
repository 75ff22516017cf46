import ServiceKit
import Testing

@Suite struct HTMLTextTests {
    @Test(arguments: [
        ("<a href=\"x\">Tom & Jerry's</a>", "&lt;a href=&quot;x&quot;&gt;Tom &amp; Jerry&#39;s&lt;/a&gt;"),
        ("&amp;", "&amp;amp;"), ("", ""),
        ("Zo\u{EB} \u{1F469}\u{200D}\u{1F692}\r\n", "Zo\u{EB} \u{1F469}\u{200D}\u{1F692}\r\n"),
    ])
    func `the characters with a meaning in HTML are escaped`(text: String, html: String) {
        #expect(text.escapedForHTML == html)
    }

    @Test(arguments: ["\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}", "\u{20E3}"])
    func `a combining mark hides none of them`(mark: String) {
        for (sign, entity) in [("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;")] {
            #expect(Array((sign + mark).escapedForHTML.utf8) == Array((entity + mark).utf8))
        }
    }
}
