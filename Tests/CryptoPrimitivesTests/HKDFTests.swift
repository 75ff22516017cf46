import CryptoPrimitives
import Testing

@Suite struct HKDFTests {
    @Test func `RFC 5869 A.1 to A.3`() {
        let basic = HKDF.derive(
            from: repeated(0x0B, 22), salt: Array(0...0x0C), info: Array(0xF0...0xF9), byteCount: 42)
        #expect(
            Hex.encode(basic) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let long = HKDF.derive(
            from: Array(0...0x4F), salt: Array(0x60...0xAF), info: Array(0xB0...0xFF), byteCount: 82)
        #expect(
            Hex.encode(long)
                == "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87")
        let bare = HKDF.derive(from: repeated(0x0B, 22), info: "", byteCount: 42)
        #expect(
            Hex.encode(bare) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test func `it derives up to 255 blocks`() {
        let most = HKDF.derive(from: [1], info: "most", byteCount: 8160)
        #expect(most.count == 8160)
        #expect(HKDF.derive(from: [1], info: "most", byteCount: 32) == Array(most.prefix(32)))
    }

    @Test func `another use has another key`() {
        #expect(HKDF.derive(from: [1], info: "tag") != HKDF.derive(from: [1], info: "secret"))
    }
}
