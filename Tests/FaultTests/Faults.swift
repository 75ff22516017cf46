import Testing

/// The suites that disturb processes and networks, one after another: each measures how fast things recover.
@Suite(.serialized) enum Faults {}
