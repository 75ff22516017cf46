import FoundationEssentials
import Policies
import Testing

@Suite struct LoadingTests {
    private func withFile(_ bytes: [UInt8], _ body: (_ path: String, _ directory: String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: directory) } catch { Issue.record(error) } }
        let file = directory.appending(path: "mine.yaml")
        try Data(bytes).write(to: file)
        try body(file.path(percentEncoded: false), directory.path(percentEncoded: false))
    }

    @Test func `a policy is found by name and by path`() throws {
        try withFile(Array(PolicyText.minimal.utf8)) { path, directory in
            let byName = try Policy.load(named: "mine", directory: directory)
            #expect(byName.name == "mine")
            #expect(try Policy.load(named: path, directory: "/nowhere") == byName)
        }
    }

    @Test func `texts and a logo are read next to the file, and from the policies folder where it has none`() throws {
        try withFile(Array((PolicyText.minimal + "apps: { logo: logo.svg }\n").utf8)) { path, directory in
            let shared = directory + "/shared"
            let (english, svg) = (PolicyText.policiesDirectory() + "/messages/en.yaml", Data("<svg/>".utf8))
            for folder in [directory, shared] {
                try FileManager.default.createDirectory(
                    atPath: folder + "/messages", withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: english, toPath: folder + "/messages/en.yaml")
            }
            try svg.write(to: URL(filePath: shared + "/logo.svg"))
            try FileManager.default.copyItem(atPath: english, toPath: shared + "/messages/de.yaml")
            let policy = try Policy.load(named: path, directory: shared)
            let own = try MessageCatalog.load(policy, directory: shared)
            #expect(own.texts(for: ["de"]).locale == "en" && own.logo != nil)
            try FileManager.default.removeItem(atPath: directory + "/messages")
            #expect(try MessageCatalog.load(policy, directory: shared).texts(for: ["de"]).locale == "de")
            let error = #expect(throws: PolicyError.self) { try MessageCatalog.load(policy, directory: "/nowhere") }
            #expect(
                error?.description.contains(directory + "/messages") == true, "it names the folder next to the file")
        }
    }

    @Test func `a missing policy names those that are there`() throws {
        try withFile([]) { _, directory in
            let error = #expect(throws: PolicyError.self) { try Policy.load(named: "yours", directory: directory) }
            #expect(error?.description.hasPrefix("yours.yaml: there is no policy at ") == true)
            #expect(error?.description.hasSuffix("The folder has mine.") == true)
        }
        #expect(throws: PolicyError.self) { try Policy.load(named: "howru", directory: "/nowhere/at/all") }
        #expect(throws: PolicyError.self) { try Policy.load(named: "/", directory: "/") }
        let atRoot = #expect(throws: PolicyError.self) { try Policy.load(named: "/nowhere", directory: "/at/all") }
        #expect(atRoot?.description.hasPrefix("nowhere: there is no policy at /nowhere.") == true)
        #expect(throws: PolicyError.self) { try Policy.load(named: "", directory: "") }
    }

    @Test func `a file that is too large or not UTF-8 is refused`() throws {
        let large = [UInt8](repeating: UInt8(ascii: "#"), count: Policy.fileBytesMax + 1)
        try withFile(large) { path, _ in
            #expect(throws: PolicyError.self) { try Policy.load(named: path, directory: "") }
        }
        try withFile(Array(PolicyText.minimal.utf8) + [0x23, 0xFF, 0xFE]) { path, _ in
            let error = #expect(throws: PolicyError.self) { try Policy.load(named: path, directory: "") }
            #expect(error?.description == "mine.yaml: is not UTF-8 text. Save it as UTF-8.")
        }
    }
}
