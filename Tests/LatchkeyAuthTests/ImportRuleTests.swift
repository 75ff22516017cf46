import Foundation
import Testing

@testable import LatchkeyAuth

/// Rules for items of an earlier release (rows A49, T50, H47 and V19 of Tests/Compat/statements.md).
@Suite struct ImportRuleTests {
    private static let found = KeychainReading.found(KeychainItem(data: Data("refresh".utf8)))
    private static let signedIn = State.signedIn(Session(userID: "usr_1", freshness: .fresh))

    struct Row: Sendable {
        let state: State
        let item: KeychainReading
        var isUpdate = true
        let step: ImportRule.Step
    }

    static let rows = [
        Row(state: .signedOut(nil), item: found, step: .adopt),
        Row(state: .signedOut(nil), item: found, isUpdate: false, step: .erase),
        Row(state: .signedOut(nil), item: .absent, step: .nothing),
        Row(state: .signedOut(nil), item: .damaged, step: .erase),
        Row(state: .signedOut(nil), item: .failed(.protectedData), step: .wait),
        Row(state: .unavailable(.protectedData), item: found, step: .wait),
        Row(state: .starting, item: found, step: .wait),
        // The app was ended between storing the session and erasing the earlier item.
        Row(state: signedIn, item: found, step: .erase),
        Row(state: signedIn, item: .absent, step: .nothing),
        // A session that has ended does not come back by an older token.
        Row(state: .signedOut(.asked), item: found, step: .erase),
        Row(state: .signedOut(.newInstallation), item: found, step: .erase),
        Row(state: .signedOut(.storageLost), item: found, step: .erase),
    ]

    @Test(arguments: rows)
    func `an earlier item is adopted only by an update, and only once`(_ row: Row) {
        #expect(ImportRule.decide(row.state, refreshToken: row.item, isUpdate: row.isUpdate) == row.step)
    }

    @Test func `the user's id is the subject of the access token`() {
        let payload = Base64URL.encode(Array(#"{"sub":"usr_7","exp":1}"#.utf8))
        #expect(ImportRule.subject(of: "e30.\(payload).c2ln") == "usr_7")
        #expect(ImportRule.subject(of: "opaque") == nil)
        #expect(ImportRule.subject(of: "e30.%%.c2ln") == nil)
        #expect(ImportRule.subject(of: "e30.\(Base64URL.encode(Array("{}".utf8))).c2ln") == nil)
    }

    @Test func `the names of the documents' items`() {
        #expect(EarlierItems.howru.refreshToken == "com.howru.refreshToken")
        #expect(EarlierItems.aarokya.accessToken == "aarokya_access_token")
        #expect(EarlierItems.voltyks.others == ["accessTokenExpiry", "refreshTokenExpiry"])
    }
}
