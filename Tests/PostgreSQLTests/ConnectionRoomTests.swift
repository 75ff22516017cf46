import Storage
import Testing

@testable import PostgreSQL

/// Whether a server has room for a process.
@Suite struct ConnectionRoomTests {
    @Test(arguments: [(93, 6, true), (94, 6, false), (97, 2, true), (97, 3, false)] as [(Int64, Int, Bool)])
    func `a process starts only if its connections fit`(used: Int64, wanted: Int, fits: Bool) {
        // Two are open and counted in `used`.
        let room = ConnectionRoom(max: 100, reserved: 3, used: used)
        let isAllowed: Bool
        do throws(StorageError) {
            try room.require(wanted, open: 2)
            isAllowed = true
        } catch {
            isAllowed = false
            #expect(error.message.contains("max_connections is 100"))
        }
        #expect(isAllowed == fits)
    }
}
