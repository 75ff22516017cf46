import Foundation
import InternalAPI
import Testing

/// Old and new processes talk during an upgrade: what they say to each other stays as the golden files have it.
@Suite struct WireTests {
    @Test func `each golden file is the same after it was read and written again`() throws {
        for example in try WireExamples.all() {
            #expect(example.again == example.golden, "\(example.name)")
            #expect(example.unknownRefusals.isEmpty, "\(example.name)")
            #expect(example.hasRequests == example.takesRequests && example.hasAnswers, "\(example.name)")
        }
    }

    @Test func `each golden file belongs to an operation`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: WireText.folder.path())
        #expect(Set(files) == Set(try WireExamples.all().map { $0.name + ".txt" }))
    }
}
