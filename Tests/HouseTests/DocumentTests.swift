import Foundation
import Testing

/// The documents: every link leads somewhere, every page is in the index, every code block has a mark.
@Suite struct DocumentTests {
    private static let index = "deploy/docs/README.md"

    @Test(arguments: try DocumentPage.all())
    func `every link leads to a file, and to a heading of it`(page: DocumentPage) throws {
        #expect(try page.brokenLinks() == [])
    }

    /// Together with the README's link to the index, every page is two clicks away.
    @Test func `the index has every page`() throws {
        let linked = Set(try DocumentPage(path: Self.index).links.map(\.path))
        let pages = try DocumentPage.all().map(\.path).filter { $0.hasPrefix("deploy/docs/") && $0 != Self.index }
        let decisions = Set(try DocumentPage(path: "deploy/docs/decisions/README.md").links.map(\.path))
        #expect(pages.filter { !linked.contains($0) && !decisions.contains($0) } == [])
        #expect(try DocumentPage(path: "README.md").links.contains { $0.path == Self.index })
    }

    /// The page of each task, and a pattern for its call, which the blocks in all languages of a library have.
    private static let tasks = [
        ("install", "install", "latchkey"), ("first screen", "first-screen", "state"),
        ("SMS", "sign-in", "requestCode"),
        ("mail code", "mail-code", "requestCode"), ("mail link", "mail-links", "signInWithLink"),
        ("password", "passwords", "signInWithPassword"), ("Apple", "apple", "signInWithApple"),
        ("Google", "providers", "signInWithProvider"), ("browser", "web-sign-in", "signInWithBrowser"),
        ("code autofill", "code-autofill", "oneTimeCode|SmsCodes|one-time-code"), ("devices", "sessions", "endSession"),
        ("sign out here", "sign-out", "signOut\\(\\)"), ("sign out others", "sign-out", "signOut\\(\\W?\\w*\\.?others"),
        ("sign out everywhere", "sign-out", "signOut\\(\\W?\\w*\\.?all"), ("profile", "account", "update\\("),
        ("proof again", "account", "onReauthenticate"), ("identities", "account", "addIdentity"),
        ("deletion", "deletion", "deleteAccount"), ("cookies", "cookies", "discover"),
        ("server rendering", "server-rendering", "getUser"), ("offline", "offline", "keepsSession"),
        ("error texts", "error-texts", "textOf"), ("tests", "test-numbers", "transport|fetch"),
    ]

    /// The sections of a task's page, in their order.
    private static let languages = ["swift", "kotlin", "typescript", "http"]

    @Test(arguments: tasks)
    func `a task of an app developer has a page in the index, with the call in each language`(
        task: String, name: String, call: String
    ) throws {
        let page = try DocumentPage(path: "deploy/docs/app/\(name).md")
        #expect(try DocumentPage(path: Self.index).links.contains { $0.path == page.path })
        // Apps for phones have no cookies and render nothing on a server; npm installs by a shell's line.
        let isOfTheWeb = ["cookies", "server-rendering"].contains(name)
        let libraries = (isOfTheWeb ? [] : ["swift", "kotlin"]) + (name == "install" ? [] : ["ts"])
        let pattern = try Regex(call).ignoresCase()
        for language in libraries {
            #expect(page.blocks[language]?.contains(pattern) == true, "\(page.path): \(call) in \(language)")
        }
        #expect(page.blocks["sh"] != nil, "\(page.path): HTTP")
        let languages = page.anchors.filter(Self.languages.contains)
        #expect(languages == Self.languages.filter(languages.contains), "\(page.path): the order of languages")
    }

    @Test(arguments: try DocumentPage.all())
    func `every code block is marked run, compiled or shown`(page: DocumentPage) {
        #expect(page.unmarkedBlocks == [])
    }

    @Test(arguments: [
        ("[a](b.md)", ["b.md"]), ("[a](https://x.example)", []), ("`[a](b.md)`", []),
        ("```sh run\n[a](b.md)\n```", []), ("<img src=\"p.png\">", ["p.png"]), ("[a](#there)", []),
        ("[a](#not-there)", ["#not-there"]),
    ])
    func `a broken link is found, and only outside of code`(text: String, broken: [String]) throws {
        let there = DocumentPage(path: "deploy/docs/x.md", text: "# There\n" + text)
        let expected = broken.map { "deploy/docs/x.md: \($0)" }
        #expect(try there.brokenLinks() == expected)
    }

    @Test func `an unmarked block is found, also in a list`() {
        let text = "```sh\na\n```\n\n- b\n\n  ```sh run\n  c\n  ```\n  ```json\n  {}\n  ```\n"
        let page = DocumentPage(path: "x.md", text: text)
        #expect(page.unmarkedBlocks == ["x.md:1", "x.md:10"])
    }

    @Test(arguments: [
        ("# `POST /auth`, twice", "post-auth-twice"), ("### What's *new*?", "whats-new"), ("## A_b-c", "a_b-c"),
    ])
    func `a heading's anchor is that of hosting sites`(heading: String, anchor: String) {
        #expect(DocumentPage(path: "x.md", text: heading).anchors == [anchor])
    }
}
