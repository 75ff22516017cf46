import InternalAPI
import RedisClient

extension Revocation {
    /// Reads one entry of the stream `rev:log`, or returns `nil` if it is not one of ours.
    init?(streamFields fields: [String: String]) {
        guard let kind = fields["kind"], let id = fields["id"], let until = fields["until"].flatMap({ Int64($0) })
        else {
            return nil
        }
        let reason = fields["reason"].flatMap(RevocationReason.init(rawValue:)) ?? .admin
        switch kind {
        case "sid": self.init(subject: .session(id), reason: reason, until: until)
        case "kid": self.init(subject: .key(id), reason: reason, until: until)
        case "ver":
            guard let version = fields["ver"].flatMap({ Int64($0) }) else { return nil }
            self.init(subject: .version(sid: id, version), reason: .rights, until: until)
        default: return nil
        }
    }

    /// Reads one key of the key space with its value, or returns `nil` for a key of another kind.
    init?(key: String, value: String, until: Int64) {
        if let sid = key.removingPrefix(RevocationFeed.session("")) {
            self.init(subject: .session(sid), reason: RevocationReason(rawValue: value) ?? .admin, until: until)
        } else if let kid = key.removingPrefix(RevocationFeed.key("")) {
            self.init(subject: .key(kid), reason: .admin, until: until)
        } else if let sid = key.removingPrefix(RevocationFeed.version("")), let version = Int64(value) {
            self.init(subject: .version(sid: sid, version), reason: .rights, until: until)
        } else {
            return nil
        }
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
