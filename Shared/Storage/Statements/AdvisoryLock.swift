import CryptoPrimitives

/// A lock that is not about a row: most users have no row that could be locked, and a missing row is a fact too.
package struct AdvisoryLock: Sendable, Hashable {
    /// The kinds of things that are locked, in the order in which a transaction takes several locks.
    package enum Kind: Int, Sendable {
        /// An identity or an id of an import, by its hash.
        case identity
        /// A user.
        case user
        /// A call, or another thing that belongs to a user.
        case part
        /// All signing keys, all leases, and what else is one.
        case whole
    }

    package let kind: Kind
    package let name: [UInt8]

    package init(_ kind: Kind, _ name: [UInt8]) {
        self.kind = kind
        self.name = name
    }

    package init(_ kind: Kind, _ name: String) { self.init(kind, Array(name.utf8)) }

    /// The number of the lock and its place in the order.
    package struct Order: Comparable, Sendable {
        package let kind: Int
        package let number: Int64

        package static func < (one: Order, other: Order) -> Bool {
            (one.kind, one.number) < (other.kind, other.number)
        }
    }

    /// Returns the lock's number in a database in which several schemas may lie: the first bytes of a hash.
    package func order(in schema: String) -> Order {
        let hash = SHA256.hash(Self.prefix(of: kind, in: schema) + name)
        return Order(kind: kind.rawValue, number: Int64(bitPattern: BigEndian.number(hash.prefix(8))))
    }

    /// Returns the bytes that are hashed before a lock's name.
    package static func prefix(of kind: Kind, in schema: String) -> [UInt8] {
        Array(schema.utf8) + [0, UInt8(truncatingIfNeeded: kind.rawValue)]
    }
}
