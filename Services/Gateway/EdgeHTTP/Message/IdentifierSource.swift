import NIOCore
import Spans

/// Makes the ids of requests and spans. They are not secret, only distinct.
///
/// It uses xoshiro256** (Blackman and Vigna), because a call to the kernel for every id would cost more than reading the whole
/// head.
struct IdentifierSource: RandomNumberGenerator, Sendable {
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

    /// The beginning of a trace whose id is the request's.
    var newTrace: SpanIdentity { SpanIdentity(newTrace: high, low) }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeHex(high)
        buffer.writeHex(low)
    }
}

extension ByteBuffer {
    /// Appends the 16 lower-case hexadecimal digits of `number`.
    mutating func writeHex(_ number: UInt64) {
        writeInteger(Self.digits(of: number >> 32))
        writeInteger(Self.digits(of: number & 0xFFFF_FFFF))
    }

    /// Returns the eight digits of a number below 2^32 as the bytes of one integer, the first digit in the highest.
    ///
    /// All digits are computed at once, without memory, since every request has five such numbers.
    private static func digits(of number: UInt64) -> UInt64 {
        var nibbles = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte from 10 up, whose digits are letters: 39 characters after the place of a tenth number.
        let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
