import CryptoPrimitives
import Testing

@Suite struct AESGCMTests {
    let key = Array("0123456789abcdef0123456789abcdef".utf8)
    let context = Array("signing_keys:1".utf8)

    @Test(arguments: [0, 1, 15, 16, 17, 1000])
    func `what is sealed opens`(byteCount: Int) throws {
        let plaintext = SecureRandom.bytes(byteCount)
        let sealed = try #require(AESGCM.seal(plaintext, key: key, context: context))
        #expect(sealed.count == byteCount + 28)
        #expect(AESGCM.open(sealed, key: key, context: context) == plaintext)
    }

    @Test func `the vectors of the GCM specification open`() throws {
        let zeroSealed = try #require(
            Hex.decode(
                "000000000000000000000000" + "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"))
        #expect(AESGCM.open(zeroSealed, key: repeated(0, 32), context: []) == repeated(0, 16))
        let vectorKey = try #require(
            Hex.decode("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let sealed = try #require(
            Hex.decode(
                "cafebabefacedbaddecaf888"
                    + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                    + "c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"))
        let vectorContext = try #require(Hex.decode("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        let plaintext =
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
            + "b16aedf5aa0de657ba637b39"
        #expect(AESGCM.open(sealed, key: vectorKey, context: vectorContext).map { Hex.encode($0) } == plaintext)
    }

    @Test func `one altered byte anywhere and nothing opens`() throws {
        let sealed = try #require(AESGCM.seal([1, 2, 3], key: key, context: context))
        for position in sealed.indices {
            var altered = sealed
            altered[position] ^= 0x80
            #expect(AESGCM.open(altered, key: key, context: context) == nil)
        }
    }

    @Test func `another key, another context and a cut text do not open`() throws {
        let sealed = try #require(AESGCM.seal([1, 2, 3], key: key, context: context))
        #expect(AESGCM.open(sealed, key: repeated(7, 32), context: context) == nil)
        #expect(AESGCM.open(sealed, key: key, context: Array("signing_keys:2".utf8)) == nil)
        #expect(AESGCM.open(sealed, key: key, context: []) == nil)
        for count in 0..<sealed.count {
            #expect(AESGCM.open(Array(sealed.prefix(count)), key: key, context: context) == nil)
        }
    }

    @Test(arguments: [0, 16, 31, 33]) func `a key of another length is refused`(byteCount: Int) {
        #expect(AESGCM.seal([1], key: repeated(1, byteCount), context: []) == nil)
        #expect(AESGCM.open(repeated(1, 40), key: repeated(1, byteCount), context: []) == nil)
    }

    @Test func `the same text sealed twice looks different`() {
        #expect(AESGCM.seal([1], key: key, context: []) != AESGCM.seal([1], key: key, context: []))
    }
}
