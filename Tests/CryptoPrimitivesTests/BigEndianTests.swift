import CryptoPrimitives
import Testing

struct BigEndianTests {
    @Test func `numbers become bytes and come back`() {
        #expect(BigEndian.bytes(0x0102_0304, count: 4) == [1, 2, 3, 4])
        #expect(BigEndian.bytes(0x0102_0304, count: 6) == [0, 0, 1, 2, 3, 4])
        #expect(BigEndian.bytes(0x0102_0304, count: 2) == [3, 4])
        #expect(BigEndian.bytes(.max, count: 8) == [UInt8](repeating: 0xFF, count: 8))
        #expect(BigEndian.number([1, 2, 3, 4]) == 0x0102_0304)
        #expect(BigEndian.number([9, 0, 0, 0, 0, 0, 0, 0, 1]) == 1)
        #expect(BigEndian.number([]) == 0)
    }

    @Test(arguments: [0, 1, 255, 256, UInt64.max]) func `eight bytes hold any number`(_ number: UInt64) {
        #expect(BigEndian.number(BigEndian.bytes(number, count: 8)[...]) == number)
    }
}
