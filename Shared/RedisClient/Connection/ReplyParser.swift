import CHiredis
import NIOCore

/// Parses replies with hiredis; the only file that calls C.
///
/// hiredis refuses nesting deeper than 7; this adds bounds on the bytes of a reply and the elements of an array. Not
/// thread-safe: it belongs to one connection and stays on its event loop. It owns its pointers and frees them.
@safe final class ReplyParser {
    /// hiredis moves the rest of its buffer after every 1 KiB that it consumes: small slices keep that cheap.
    private static let sliceBytes = 4_096

    /// No element is shorter than `:0\r\n`, so an array with more elements could not fit into the allowed bytes.
    private static let elementBytesMin = 4

    private let reader: UnsafeMutablePointer<redisReader>?
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    private let arrayBound: UnsafeMutablePointer<ArrayBound>
    private let replyBytesMax: Int
    /// The bytes received of the reply that is not yet complete.
    private var partialReplyBytes = 0

    init(replyBytesMax: Int) {
        self.replyBytesMax = replyBytesMax
        unsafe reader = redisReaderCreate()
        unsafe functions = .allocate(capacity: 1)
        unsafe arrayBound = .allocate(capacity: 1)
        if let reader = unsafe reader { unsafe boundArrays(of: reader) }
    }

    deinit {
        if let reader = unsafe reader { unsafe redisReaderFree(reader) }
        unsafe functions.deallocate()
        unsafe arrayBound.deallocate()
    }

    /// Parses received bytes and delivers every reply that they complete, in order.
    /// - Throws: `.protocolViolation`; the connection is unusable then.
    func feed(_ received: ByteBuffer, deliver: (RedisReply) -> Void) throws(RedisError) {
        guard let reader = unsafe reader else { throw RedisError(.protocolViolation, "no memory for a reply reader") }
        var rest = received
        while let slice = rest.readSlice(length: min(Self.sliceBytes, rest.readableBytes)), slice.readableBytes > 0 {
            let status = unsafe slice.withUnsafeReadableBytes { unsafe feed($0, to: reader) }
            guard status == REDIS_OK else { throw RedisError(.protocolViolation, "reply buffer refused bytes") }
            partialReplyBytes += slice.readableBytes
            while let reply = try unsafe nextReply(of: reader) { deliver(reply) }
        }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer, to reader: UnsafeMutablePointer<redisReader>) -> CInt {
        guard let base = bytes.baseAddress else { return REDIS_OK }
        return unsafe redisReaderFeed(reader, base.assumingMemoryBound(to: CChar.self), bytes.count)
    }

    private func nextReply(of reader: UnsafeMutablePointer<redisReader>) throws(RedisError) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard unsafe redisReaderGetReply(reader, &object) == REDIS_OK else {
            throw RedisError(.protocolViolation, "reply refused by hiredis, error \(unsafe reader.pointee.err)")
        }
        guard let object = unsafe object else {
            try checkSize(partialReplyBytes)
            return nil
        }
        defer { unsafe freeReplyObject(object) }
        let nextReplyBytes = unsafe Int(clamping: reader.pointee.len &- reader.pointee.pos)
        try checkSize(partialReplyBytes - nextReplyBytes)
        partialReplyBytes = nextReplyBytes
        return unsafe Self.reply(from: object.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private func checkSize(_ replyBytes: Int) throws(RedisError) {
        guard replyBytes <= replyBytesMax else {
            throw RedisError(.protocolViolation, "reply larger than \(replyBytesMax) bytes")
        }
    }
}

// MARK: - Values

extension ReplyParser {
    /// Copies a reply; an error anywhere in it, as in an array from a script, makes the whole reply an error.
    private static func reply(from object: redisReply) -> RedisReply {
        do throws(RedisError) {
            return .success(unsafe try value(from: object))
        } catch {
            return .failure(error)
        }
    }

    /// The recursion is bounded by the depth that hiredis allows.
    private static func value(from object: redisReply) throws(RedisError) -> RedisValue {
        switch unsafe object.type {
        case REDIS_REPLY_STRING: return .string(unsafe Array(bytes(of: object)))
        case REDIS_REPLY_STATUS: return .status(unsafe String(decoding: bytes(of: object), as: UTF8.self))
        case REDIS_REPLY_INTEGER: return .integer(unsafe object.integer)
        case REDIS_REPLY_NIL: return .null
        case REDIS_REPLY_ERROR: throw unsafe .reply(bytes(of: object))
        case REDIS_REPLY_ARRAY: return .array(unsafe try elements(of: object))
        default: throw RedisError(.protocolViolation, "reply of unknown type", wasSent: true)
        }
    }

    private static func elements(of object: redisReply) throws(RedisError) -> [RedisValue] {
        let children = unsafe UnsafeBufferPointer(start: object.element, count: object.elements)
        return try unsafe children.map { child throws(RedisError) in
            guard let child = unsafe child else { throw RedisError(.protocolViolation, "array with a gap") }
            return try unsafe value(from: child.pointee)
        }
    }

    /// The bytes of a reply by its length, since it may contain zero bytes.
    private static func bytes(of object: redisReply) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: object.str, count: object.len)
    }
}

// MARK: - Bound on arrays

/// The context of the hook below: the maximum length of an array, and hiredis' own function that creates one.
@unsafe private struct ArrayBound {
    let elementsMax: Int
    let create: (@convention(c) (UnsafePointer<redisReadTask>?, CInt) -> UnsafeMutableRawPointer?)?
}

extension ReplyParser {
    /// Adds a check before hiredis allocates an array, because hiredis trusts the length that the server announces.
    private func boundArrays(of reader: UnsafeMutablePointer<redisReader>) {
        unsafe functions.initialize(to: reader.pointee.fn.pointee)
        unsafe arrayBound.initialize(
            to: ArrayBound(elementsMax: replyBytesMax / Self.elementBytesMin, create: functions.pointee.createArray))
        unsafe functions.pointee.createArray = { task, count in
            guard let bound = unsafe task?.pointee.privdata?.assumingMemoryBound(to: ArrayBound.self),
                unsafe Int(count) <= bound.pointee.elementsMax
            else { return nil }
            return unsafe bound.pointee.create?(task, count)
        }
        unsafe reader.pointee.fn = functions
        unsafe reader.pointee.privdata = UnsafeMutableRawPointer(arrayBound)
    }
}
