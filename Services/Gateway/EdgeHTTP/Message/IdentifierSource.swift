import CryptoPrimitives
import NIOCore

/// Makes the ids of requests and spans. They are not secret, only distinct.
///
/// It uses xoshiro256** (Blackman and Vigna), because a call to the kernel for every id would cost more than reading the whole
/// head.
struct IdentifierSource: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter generator: the source of the seed, called four times.
    init(seededFrom generator: inout some RandomNumberGenerator) {
        // All zeros is the one state that xoshiro never leaves.
        state = (generator.next(), generator.next(), generator.next(), generator.next() | 1)
    }

    /// Returns the next number; never 0, which trace ids must not be.
    mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result == 0 ? 1 : result
    }
}

/// The id of one request: 32 lower-case hexadecimal digits.
package struct RequestID: Sendable, Equatable {
    private let high: UInt64
    private let low: UInt64

    init(from source: inout IdentifierSource) {
        high = source.next()
        low = source.next()
    }

    package var text: String {
        var buffer = ByteBufferAllocator().buffer(capacity: 32)
        write(into: &buffer)
        return String(buffer: buffer)
    }

    /// Random bits of the id, which decide whether a request is sampled.
    package var sample: UInt64 { low }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeHex(high)
        buffer.writeHex(low)
    }
}

extension ByteBuffer {
    /// Appends the 16 lower-case hexadecimal digits of `number`.
    mutating func writeHex(_ number: UInt64) { writeString(Hex.encode(BigEndian.bytes(number, count: 8))) }
}
