import ServiceKit
import Testing

@Suite struct RecentTableTests {
    @Test func `a full table forgets what was written longest ago and keeps the rest`() {
        var table = RecentTable<Int, Int>(countMax: 8)
        for key in 0..<9 {
            table[key] = key
            // Written again and again, so never the oldest.
            table[0] = 100 + key
        }
        #expect(table[0] == 108)
        #expect((5..<9).allSatisfy { table[$0] == $0 })
        #expect(table[1] == nil)
        #expect(table.count <= 8)
    }

    @Test func `a flood of keys does not make it grow`() {
        var table = RecentTable<Int, Int>(countMax: 100)
        for key in 0..<10_000 { table[key] = key }
        #expect(table.count <= 100)
        #expect((9_950..<10_000).allSatisfy { table[$0] == $0 })
    }

    @Test func `the older half can be forgotten before the newer one is full`() {
        var table = RecentTable<Int, Int>(countMax: 4)
        table[1] = 1
        #expect(!table.isFull)
        table[2] = 2
        #expect(table.isFull)
        table.turn()
        #expect(table[1] == 1 && !table.isFull)
        table.turn()
        #expect(table[1] == nil && table.count == 0)
    }

    @Test func `what is taken away is gone from both halves`() {
        var table = RecentTable<Int, String>(countMax: 4)
        for key in 1...3 { table[key] = "\(key)" }
        table[1] = "again"
        table[1] = nil
        #expect(table[1] == nil)
        table.removeAll { $0 == 3 }
        #expect(table[3] == nil)
        #expect(table[2] == "2")
    }
}
