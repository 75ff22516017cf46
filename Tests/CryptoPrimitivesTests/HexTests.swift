import CryptoPrimitives
import Testing

@Suite struct HexTests {
    @Test func `every byte survives`() {
        let bytes = (0...255).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.encode([0x00, 0x0F, 0xA5]) == "000fa5")
        #expect(Hex.decode("000FA5") == [0x00, 0x0F, 0xA5])
    }

    @Test(arguments: ["0", "0g", "0x00", " 0", "00 ", "é0", "0\0"])
    func `other text is refused`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
