import InternalAPI
import Testing

@testable import ControlCore

/// The cursor of `audit follow`.
@Suite struct FollowCursorTests {
    private static func page(_ places: (Int64, Int64)...) -> AuditTailPage {
        AuditTailPage(
            records: places.map { slot, number in
                .init(slot: slot, record: .init(number: number, at: 1, event: "session.opened"))
            })
    }

    @Test func `it has the last record of each chain of each service, and reads as it is written`() throws {
        var cursor = FollowCursor()
        cursor.move(behind: Self.page((1, 5), (1, 6), (2, 1)), of: .token)
        cursor.move(behind: Self.page((0, 9)), of: .user)
        cursor.move(behind: Self.page((2, 2)), of: .token)
        #expect(cursor.text == "token:1=6,token:2=2,user:0=9")
        #expect(FollowCursor(argument: cursor.text) == cursor)
        #expect(cursor.places(of: .user) == [AuditPlace(slot: 0, number: 9)])
        #expect(
            Set(cursor.places(of: .token)) == [AuditPlace(slot: 1, number: 6), AuditPlace(slot: 2, number: 2)])
    }

    @Test(arguments: [
        "", ",", "token", "token:1", "token:1=", "token:=1", "otp:1=1", "token:1=-1", "token:-1=1", "token:1=1,",
        "token:1=1,token:1=2", "token:1=9999999999999999999", "token:1=1=1", "token:1:1=1", "1",
    ])
    func `another text is refused`(text: String) { #expect(FollowCursor(argument: text) == nil) }
}
