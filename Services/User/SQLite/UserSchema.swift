import SQLiteStore

/// The tables of `users.sqlite`; times are Unix seconds. After the first release, steps are only ever added.
enum UserSchema {
    static let migrations = [Migration.first(tables)]

    /// Pseudonyms are random and never searched for, so they need no index. The index of identities finds a user's oldest phone
    /// number without reading all of them. Results of sign-ins expire and may outlive their users; an index by expiry or by user
    /// would be a quarter of what a sign-in writes. The call and the time of a result are null unless an identity token was used.
    ///
    /// Each receiver of messages has a lane in `outbox`, so that an unavailable one does not delay the others; mails are sent by
    /// rank and turn. Triggers record security decisions, so that no change is without its record.
    private static let tables = """
        CREATE TABLE users (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            pseudonym BLOB NOT NULL CHECK (length(pseudonym) = 16),
            name TEXT,
            attributes TEXT NOT NULL,
            role TEXT NOT NULL,
            is_active INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            version INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            deletion_requested_at INTEGER,
            deletion_due_at INTEGER,
            is_for_review INTEGER NOT NULL,
            legacy_id TEXT,
            CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX users_by_legacy_id ON users (legacy_id) WHERE legacy_id IS NOT NULL;
        CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

        CREATE TABLE identities (
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            tokens_from INTEGER,
            PRIMARY KEY (kind, value)
        ) WITHOUT ROWID;
        CREATE INDEX identities_by_user ON identities (user_id, kind, created_at);

        CREATE TABLE apple_tokens (
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            subject TEXT NOT NULL,
            client_id TEXT NOT NULL,
            payload TEXT NOT NULL,
            signed_in_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, subject, client_id)
        ) WITHOUT ROWID;

        CREATE TABLE unproved_addresses (
            address TEXT PRIMARY KEY,
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX unproved_addresses_by_user ON unproved_addresses (user_id);

        CREATE TABLE passwords (
            user_id BLOB PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            hash TEXT NOT NULL,
            version INTEGER NOT NULL,
            changed_at INTEGER
        ) WITHOUT ROWID;

        CREATE TABLE registrations (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            address TEXT NOT NULL,
            hash TEXT NOT NULL,
            name TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX registrations_by_address ON registrations (address, created_at);

        CREATE TABLE invitations (
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            role TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (kind, value)
        ) WITHOUT ROWID;

        CREATE TABLE account_links (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            purpose TEXT NOT NULL,
            subject BLOB NOT NULL CHECK (length(subject) = 16),
            address TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX account_links_by_subject ON account_links (subject);

        CREATE TABLE first_answers (
            call BLOB PRIMARY KEY CHECK (length(call) = 16),
            answer BLOB NOT NULL,
            user_id BLOB,
            ends_sessions INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE resolutions (
            attestation_id TEXT PRIMARY KEY,
            user_id BLOB NOT NULL,
            is_new_user INTEGER NOT NULL,
            restored INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            call BLOB,
            made_at INTEGER
        ) WITHOUT ROWID;

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            lane TEXT NOT NULL,
            kind TEXT NOT NULL,
            user_id BLOB NOT NULL,
            payload TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            network TEXT NOT NULL,
            turn INTEGER NOT NULL
        );
        CREATE INDEX outbox_by_due ON outbox (lane, next_attempt_at);
        CREATE INDEX outbox_by_user ON outbox (user_id);
        CREATE INDEX outbox_by_place ON outbox (lane, rank, turn) WHERE next_attempt_at < 9223372036854775807;
        CREATE INDEX outbox_by_network ON outbox (network, rank) WHERE network <> '';

        CREATE TABLE removed_users (id BLOB PRIMARY KEY CHECK (length(id) = 16)) WITHOUT ROWID;

        CREATE TABLE decisions (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL DEFAULT (unixepoch()),
            kind TEXT NOT NULL,
            subject BLOB NOT NULL,
            detail TEXT
        );
        CREATE INDEX decisions_by_subject ON decisions (subject);
        CREATE TRIGGER deactivation_is_a_decision AFTER UPDATE OF is_active ON users
            WHEN NEW.is_active IS NOT OLD.is_active
            BEGIN
                INSERT INTO decisions (kind, subject)
                VALUES (iif(NEW.is_active, 'reactivated', 'deactivated'), NEW.id);
            END;
        CREATE TRIGGER role_is_a_decision AFTER UPDATE OF role ON users WHEN NEW.role IS NOT OLD.role
            BEGIN
                INSERT INTO decisions (kind, subject, detail) VALUES ('role_lost', NEW.id, OLD.role);
                INSERT INTO decisions (kind, subject, detail) VALUES ('role_given', NEW.id, NEW.role);
            END;
        CREATE TRIGGER deletion_is_a_decision AFTER UPDATE OF deletion_due_at ON users
            WHEN NEW.deletion_due_at IS NOT OLD.deletion_due_at
            BEGIN
                INSERT INTO decisions (kind, subject, detail)
                VALUES (iif(NEW.deletion_due_at IS NULL, 'deletion_withdrawn', 'deletion_requested'), NEW.id,
                    NEW.deletion_requested_at || '/' || NEW.deletion_due_at);
            END;
        CREATE TRIGGER password_change_is_a_decision AFTER UPDATE OF version ON passwords
            WHEN NEW.version IS NOT OLD.version
            BEGIN
                INSERT INTO decisions (kind, subject) VALUES ('password_changed', NEW.user_id);
            END;
        CREATE TRIGGER password_removal_is_a_decision AFTER DELETE ON passwords
            WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
            BEGIN
                INSERT INTO decisions (kind, subject) VALUES ('password_changed', OLD.user_id);
            END;
        CREATE TRIGGER moved_identity_is_a_decision AFTER UPDATE OF user_id ON identities
            WHEN NEW.user_id IS NOT OLD.user_id
            BEGIN
                INSERT INTO decisions (kind, subject, detail)
                VALUES ('identity_lost', OLD.user_id, OLD.kind || '/' || OLD.created_at);
            END;
        CREATE TRIGGER identity_removal_is_a_decision AFTER DELETE ON identities
            WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
            BEGIN
                INSERT INTO decisions (kind, subject, detail)
                VALUES ('identity_lost', OLD.user_id, OLD.kind || '/' || OLD.created_at);
            END;
        CREATE TRIGGER ended_invitation_is_a_decision AFTER DELETE ON invitations
            BEGIN
                INSERT INTO decisions (kind, subject) VALUES ('invitation_ended', OLD.id);
            END;
        CREATE TRIGGER replaced_invitation_is_a_decision AFTER UPDATE OF id ON invitations
            WHEN NEW.id IS NOT OLD.id
            BEGIN
                INSERT INTO decisions (kind, subject) VALUES ('invitation_ended', OLD.id);
            END;

        CREATE TABLE audit_moved (stream_id TEXT PRIMARY KEY, moved_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX audit_moved_by_time ON audit_moved (moved_at);
        \(AuditChain.tables(
            columns: "at INTEGER NOT NULL, event TEXT NOT NULL, subject BLOB NOT NULL, method TEXT, session_id TEXT, request_id TEXT, detail TEXT"));
        \(RestoreFloor.table);
        \(OrderedRemovals.table);
        \(OrderedDecisions.tables);
        \(SQLiteLeases.table)
        """
}
