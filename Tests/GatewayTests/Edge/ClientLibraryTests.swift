import Testing

@testable import GatewayCore

/// The field by which our client libraries name themselves.
@Suite struct ClientLibraryTests {
    @Test(arguments: ["swift/0.7.0", "kotlin/1.0.12", "typescript/10.200.999", "swift/1.0.0-beta.1"])
    func `a library of ours is counted by name and release`(field: String) throws {
        let library = try #require(ClientLibrary(field: field))
        #expect("\(library.name)/\(library.version)" == field)
    }

    @Test(arguments: [
        "", "swift", "swift/", "swift/1.0", "swift/1.0.0.0", "swift/1.0.0-beta", "swift/1.0.0-", "swift/1.0.0-beta.1.2",
        "swift/1.0.0-BETA.1", "swift/1.0.0-.1", "swift/1.0.0-beta.", "swift/1.0.0-invented.1", "Swift/1.0.0",
        "okhttp/3.13.1",
        "swift/1..0", "swift/0001.0.0", "swift/١.0.0", "swift/1.0.0 ", "swift/1.0.0/x", "swift/1.0.\u{0}0",
        "swift/1.0." + String(repeating: "0", count: 64),
    ])
    func `anything else counts as another client`(field: String) {
        #expect(ClientLibrary(field: field) == nil)
    }

    @Test func `a client that invents releases makes no more than 32 series`() throws {
        let counts = ClientLibraryCounts()
        let libraries = try (0..<100).map { try #require(ClientLibrary(field: "swift/1.0.\($0)")) }
        #expect(Set(libraries.map(counts.series)).count == ClientLibraryCounts.seriesMax + 1)
        #expect(counts.series(for: libraries[0]) == libraries[0] && counts.series(for: libraries[99]) == .other)
    }
}
