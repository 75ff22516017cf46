import CryptoPrimitives

/// Pages of a database as a part contains them: each with its number in front.
struct CopyPart: Sendable {
    private static let numberBytes = 4

    let bytesMax: Int
    private(set) var bytes: [UInt8] = []
    private(set) var pages: [UInt32] = []

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Adds a page, and returns whether there is room for another one.
    mutating func add(_ number: UInt32, _ page: [UInt8]) -> Bool {
        bytes += BigEndian.bytes(UInt64(number), count: Self.numberBytes) + page
        pages.append(number)
        return bytes.count + Self.numberBytes + page.count <= bytesMax
    }

    /// Calls `body` with each page of a part.
    static func forEach(
        in bytes: [UInt8], pageBytes: Int, _ body: (UInt32, ArraySlice<UInt8>) throws(CopyFailure) -> Void
    ) throws(CopyFailure) {
        let size = numberBytes + pageBytes
        guard pageBytes > 0, bytes.count.isMultiple(of: size) else {
            throw CopyFailure(.damaged, "a part does not consist of pages")
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            let number = BigEndian.number(bytes[start..<start + numberBytes])
            guard number > 0, let page = UInt32(exactly: number) else {
                throw CopyFailure(.damaged, "a part has a page without a number")
            }
            try body(page, bytes[start + numberBytes..<start + size])
        }
    }
}
