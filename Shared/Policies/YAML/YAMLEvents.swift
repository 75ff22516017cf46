import CYAML

/// The contents of a YAML text, one piece after the other, from libyaml; this is the only file that calls it.
@safe struct YAMLEvents: ~Copyable {
    enum Event {
        /// `isPlain` if it is written without quotes, so that YAML derives a type from its form.
        case scalar(text: String, isPlain: Bool)
        case listStart, listEnd, mappingStart, mappingEnd
        case documentStart, documentEnd, streamStart, streamEnd
    }

    /// The reason why the text cannot be read further, with the line, counted from 1, if it is known.
    struct Refusal: Error {
        let line: Int?
        let message: String

        static func anchors(line: Int) -> Refusal { .init(line: line, message: "anchors and aliases are not allowed") }
        static func tags(line: Int) -> Refusal { .init(line: line, message: "tags such as !!str are not allowed") }
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The text, from which libyaml reads until the end.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) throws(Refusal) {
        unsafe bytes = .allocate(capacity: text.utf8.count)
        _ = unsafe bytes.initialize(from: text.utf8)
        unsafe parser = .allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            // libyaml has zeroed the memory that it did not get, so deinit may delete it.
            throw Refusal(line: nil, message: "cannot be read for want of memory")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe bytes.deallocate()
    }

    /// Returns the next event and its line. Must not be called after `streamEnd` or a refusal.
    mutating func next() throws(Refusal) -> (event: Event, line: Int) {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&event) }
        let line = unsafe Self.line(event.start_mark)
        return (unsafe try Self.event(event, line: line), line)
    }

    private static func event(_ event: yaml_event_t, line: Int) throws(Refusal) -> Event {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT: return unsafe try scalar(event.data.scalar, line: line)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            unsafe try refuse(anchor: start.anchor, tag: start.tag, line: line)
            return .listStart
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            unsafe try refuse(anchor: start.anchor, tag: start.tag, line: line)
            return .mappingStart
        case YAML_SEQUENCE_END_EVENT: return .listEnd
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        default: throw .anchors(line: line)  // The only other event is an alias.
        }
    }

    private static func scalar(
        _ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar, line: Int
    ) throws(Refusal) -> Event {
        unsafe try refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
        let text = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return .scalar(
            text: unsafe String(decoding: text, as: UTF8.self),
            isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE)
    }

    private static func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?, line: Int
    ) throws(Refusal) {
        guard unsafe anchor == nil else { throw .anchors(line: line) }
        guard unsafe tag == nil else { throw .tags(line: line) }
    }

    private func fault() -> Refusal {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
        // A problem with single bytes has no line.
        let line = unsafe parser.pointee.error == YAML_READER_ERROR ? nil : Self.line(parser.pointee.problem_mark)
        return Refusal(line: line, message: "is not YAML: \(problem). \(Self.advice(problem))")
    }

    private static func advice(_ problem: String) -> String {
        problem.contains("cannot start any token")
            ? "Use blanks in place of tabs, and quotes around texts that begin with @, ` or %."
            : "Look for a missing quote, bracket, colon or blank in this line and the one before."
    }

    private static func line(_ mark: yaml_mark_t) -> Int { Int(clamping: mark.line) + 1 }
}
