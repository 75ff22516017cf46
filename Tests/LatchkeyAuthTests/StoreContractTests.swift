import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

/// The promises of every store (rows G20 and T62 of Tests/Compat/statements.md).
@Suite struct StoreContractTests {
    /// A store under test, in a place of its own.
    enum Kind: CaseIterable {
        case memory
        case file

        func make(_ folder: URL) -> any SessionStore {
            switch self {
            case .memory: MemoryStore()
            case .file: FileStore(profile: "someone/else", folder: folder)
            }
        }
    }

    private func withStore(_ kind: Kind, _ body: (any SessionStore, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(kind.make(folder), folder)
    }

    private func item(_ epoch: UInt64, _ generation: UInt64, _ note: String = "") -> Data {
        Data(#"{"v":1,"epoch":\#(epoch),"generation":\#(generation),"note":"\#(note)"}"#.utf8)
    }

    @Test(arguments: Kind.allCases)
    func `the newer item stays`(_ kind: Kind) throws {
        try withStore(kind) { (store, _) throws in
            #expect(try store.load() == nil)
            func keep(_ epoch: UInt64, _ generation: UInt64) throws -> Data? {
                try store.keepNewer(
                    item(epoch, generation), version: StoreVersion(epoch: epoch, generation: generation))
            }
            #expect(try keep(1, 1) == nil)
            #expect(try keep(1, 2) == nil)
            #expect(try keep(1, 1) == item(1, 2))
            #expect(try keep(1, 2) == item(1, 2))
            #expect(try keep(2, 0) == nil)
            #expect(try keep(1, 99) == item(2, 0))
            #expect(try store.load() == item(2, 0))
        }
    }

    @Test func `a damaged file makes room for any item`() throws {
        try withStore(.file) { (store, folder) throws in
            #expect(try store.keepNewer(item(1, 1), version: StoreVersion(epoch: 1, generation: 1)) == nil)
            let file = folder.appending(path: "someone%2Felse.json", directoryHint: .notDirectory)
            try Data("garbage".utf8).write(to: file)
            #expect(try store.load() == Data("garbage".utf8))
            #expect(try store.keepNewer(item(1, 1), version: StoreVersion(epoch: 1, generation: 1)) == nil)
            #expect(try store.load() == item(1, 1))
        }
    }

    @Test func `file and folder are for this user only`() throws {
        try withStore(.file) { (store, folder) throws in
            #expect(try store.keepNewer(item(1, 1), version: StoreVersion(epoch: 1, generation: 1)) == nil)
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder.path(percentEncoded: false)) == 0o700)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
                #expect(try mode(folder.appending(path: name).path(percentEncoded: false)) == 0o600, "\(name)")
            }
        }
    }

    /// Comparing and writing is one step: of many writers at once, the newest wins.
    @Test(arguments: Kind.allCases)
    func `of many writers at once the newest wins`(_ kind: Kind) throws {
        try withStore(kind) { (store, _) throws in
            DispatchQueue.concurrentPerform(iterations: 8) { writer in
                for step in 0..<10 {
                    let generation = UInt64(step * 8 + writer + 1)
                    _ = try? store.keepNewer(
                        item(1, generation), version: StoreVersion(epoch: 1, generation: generation))
                }
            }
            #expect(try store.load() == item(1, 80))
        }
    }
}
