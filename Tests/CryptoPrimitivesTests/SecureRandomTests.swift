import CryptoPrimitives
import Testing

@Suite struct SecureRandomTests {
    @Test func `as many bytes as asked for, and others each time`() {
        for count in [0, 1, 7, 8, 9, 32, 100] { #expect(SecureRandom.bytes(count).count == count) }
        #expect(Set((0..<1000).map { _ in SecureRandom.bytes(16) }).count == 1000)
    }

    @Test(arguments: [255, 256, 257, 512, 600])
    func `no part of many bytes is left out`(count: Int) {
        let bytes = SecureRandom.bytes(count)
        #expect(bytes.count == count)
        // Unfilled bytes would be zeros: two in a row at each place in each of five tries are not chance.
        for start in 0..<(count - 1) {
            let isFilled = bytes[start] != 0 || bytes[start + 1] != 0
            #expect(isFilled || (0..<5).contains { _ in SecureRandom.bytes(count)[start...start + 1] != [0, 0] })
        }
    }

    @Test func `numbers stay below their bound and reach every value`() {
        #expect(SecureRandom.number(below: 0) == 0)
        #expect(SecureRandom.number(below: 1) == 0)
        let seen = Set((0..<1000).map { _ in SecureRandom.number(below: 10) })
        #expect(seen == Set(0..<10))
    }
}
