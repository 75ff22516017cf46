/// The fingerprint of RSA keys from a broken generator, which can be factored (ROCA, CVE-2017-15361).
///
/// Its primes are k · M + (65537^a mod M), where M is a product of small primes. Modulo each of those, a prime is a power
/// of 65537, and so is the product of two. The published test checks whether all residues of a modulus are such powers; one
/// in 240 million other keys has the fingerprint too.
enum ROCAFingerprint {
    /// A small prime, and the residues of the powers of 65537 modulo it.
    private struct Sieve {
        let prime: Int
        let residues: Set<Int>

        init(prime: Int) {
            self.prime = prime
            var residues: Set<Int> = []
            var power = 1
            while residues.insert(power).inserted { power = power * ROCAFingerprint.base % prime }
            self.residues = residues
        }

        func passes(_ number: [UInt8]) -> Bool { residues.contains(number.reduce(0) { ($0 << 8 | Int($1)) % prime }) }
    }

    private static let base = 65537
    private static let sieves = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ].map(Sieve.init)

    /// Whether the number `modulus`, big-endian, has the fingerprint.
    static func isPresent(in modulus: [UInt8]) -> Bool { sieves.allSatisfy { $0.passes(modulus) } }
}
