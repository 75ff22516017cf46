import Foundation
import TestSupport
import Testing

@testable import TLSPairs

@Suite(.serialized, .timeLimit(.minutes(5))) struct TLSFolderTests {
    @Test func `pairs are found by name; what is missing or no pair does not hide the others`() async throws {
        try await TestPairs.run { authority in
            let folder = authority.folder + "/tls"
            let issued = try await authority.issue("edge")
            try issued.place(in: folder, as: "default")
            try issued.place(in: folder, as: "b.example")
            try issued.place(in: folder, as: "keyless")
            try FileManager.default.removeItem(atPath: folder + "/keyless.key")
            for foreign in [".hidden.crt", "readme.txt", "crt", "default.crt.tmp"] {
                try Data().write(to: URL(filePath: "\(folder)/\(foreign)"))
            }
            let entries = try TLSFolder(folder).read()
            #expect(entries.map(\.name) == ["b.example", "default", "keyless"])
            #expect(entries.map { $0.problem } == [nil, nil, .unreadable(file: "keyless.key")])
            #expect(try TLSFolder(folder).files() == TLSFolder(folder).files())
        }
    }

    @Test func `a key that all can read is refused where that is asked`() async throws {
        try await TestPairs.run { authority in
            let folder = authority.folder + "/tls"
            try await authority.issue("edge").place(in: folder, as: "default")
            #expect(try TLSFolder(folder) { $0.hasSuffix("/default.key") }.read().first?.problem == .exposedKey)
        }
    }

    @Test func `a folder that is not there is told`() {
        #expect(throws: TLSFolder.Problem.self) { try TLSFolder("/nowhere/tls").read() }
    }
}

extension TLSFolder.Entry {
    var problem: TLSPairProblem? { if case .failure(let problem) = result { problem } else { nil } }
}
