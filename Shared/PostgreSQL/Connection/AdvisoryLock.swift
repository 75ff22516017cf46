import CryptoPrimitives

/// A lock of the database that is not about a row: most users have no row that could be locked, and a missing row is a fact too.
package struct AdvisoryLock: Sendable {
    /// The kinds of things that are locked, in the order in which a transaction takes several locks.
    package enum Kind: Int, Sendable {
        /// An identity or an id of an import, by its hash.
        case identity
        /// A user.
        case user
        /// A page's session, or another thing that belongs to a user.
        case part
        /// All signing keys, all leases, and what else is one.
        case whole
    }

    let kind: Kind
    let name: [UInt8]

    package init(_ kind: Kind, _ name: [UInt8]) {
        self.kind = kind
        self.name = name
    }

    package init(_ kind: Kind, _ name: String) { self.init(kind, Array(name.utf8)) }

    /// The number of the lock and its place in the order.
    struct Order: Comparable {
        let kind: Int
        let number: Int64

        static func < (one: Order, other: Order) -> Bool {
            (one.kind, one.number) < (other.kind, other.number)
        }
    }

    /// Returns the lock's number in a database in which several schemas may lie.
    func order(in schema: String) -> Order {
        let hash = SHA256.hash(Array(schema.utf8) + [0, UInt8(truncatingIfNeeded: kind.rawValue)] + name)
        return Order(kind: kind.rawValue, number: Int64(bitPattern: BigEndian.number(hash.prefix(8))))
    }
}
