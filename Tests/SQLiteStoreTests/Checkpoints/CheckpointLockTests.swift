import Foundation
import GRDB
import Glibc
import Storage
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct CheckpointLockTests {
    @Test func `one holder has the lock until it releases it or goes`() throws {
        let folder = try ScratchFolder()
        let first = try CheckpointLock(databasePath: folder.databasePath)
        do {
            let second = try CheckpointLock(databasePath: folder.databasePath)
            #expect(second.tryTake() && !first.tryTake())
            second.release()
            #expect(first.tryTake() && !second.tryTake())
            first.release()
            #expect(second.tryTake())
        }
        #expect(first.tryTake())
    }

    @Test func `only the owner of the file may read it`() throws {
        let folder = try ScratchFolder()
        _ = try CheckpointLock(databasePath: folder.databasePath)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.databasePath + ".checkpoints")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `all names of a database lead to one lock`() throws {
        let folder = try ScratchFolder()
        _ = try folder.open()
        let link = folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.databasePath)
        let (direct, linked) = (
            try CheckpointLock(databasePath: folder.databasePath), try CheckpointLock(databasePath: link)
        )
        #expect(direct.tryTake() && !linked.tryTake())
    }

    @Test(.timeLimit(.minutes(5)))
    func `while another process has it, no cycle begins and the log is not emptied; then both happen`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 1)
        let index = try LogIndex(of: try folder.outsider())
        let holder = try OtherProcess(
            "exec 9<> '\(folder.databasePath).checkpoints'; flock 9; echo held; read line", awaiting: "held")
        let before = index.words?.copied
        for number in 0..<10 { _ = try await ScratchFolder.write("\(number)", to: database) }
        await database.boundLog()
        #expect(index.words?.copied == before && index.words?.hasUncopied == true)
        holder.end()
        _ = try await ScratchFolder.write("last", to: database)
        await database.boundLog()
        #expect(FileFacts.byteCount(folder.databasePath + "-wal") == 0)
    }

    @Test func `what the engine opens and closes takes no lock of SQLite away from its process`() async throws {
        let folder = try ScratchFolder()
        let (database, path) = (try folder.open(checkpointRows: 1), folder.databasePath)
        let second = Mutex<SQLiteDatabase?>(try folder.open(checkpointRows: 1))
        for number in 0..<10 { _ = try await ScratchFolder.write("\(number)", to: database) }
        #expect(OtherProcess.canWrite(to: path))
        try await database.write { connection in
            try connection.run("INSERT INTO items (name) VALUES ('kept')")
            second.withLock { $0 = nil }
            #expect(!OtherProcess.canWrite(to: path))
        }
    }

    @Test func `control: a descriptor of -shm that is closed takes SQLite's write lock away`() throws {
        let folder = try ScratchFolder()
        let fixture = try ResetBugFixture(path: folder.databasePath)
        try fixture.beginRow()
        #expect(!OtherProcess.canWrite(to: fixture.path))
        close(unsafe open(fixture.path + "-shm", O_RDONLY))
        #expect(OtherProcess.canWrite(to: fixture.path))
    }
}
