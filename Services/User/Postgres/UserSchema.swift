import PostgreSQL

/// The tables of the schema; times are Unix seconds. After the first release, steps are only ever added.
enum UserSchema {
    static let migrations = [Migration.first(tables)]

    /// Large tables with data of users are vacuumed after fewer changes than by default, so that removed rows do not stay for long.
    ///
    /// Triggers record security decisions, so that no change is without its record. Each record waits for the transactions with
    /// earlier ones, so a reader who has read up to a number misses none before it.
    private static let tables = """
        CREATE TABLE users (
            id bytea PRIMARY KEY CHECK (length(id) = 16),
            pseudonym bytea NOT NULL CHECK (length(pseudonym) = 16),
            name text COLLATE "C",
            attributes text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            is_active boolean NOT NULL,
            epoch bigint NOT NULL,
            version bigint NOT NULL,
            created_at bigint NOT NULL,
            updated_at bigint NOT NULL,
            deletion_requested_at bigint,
            deletion_due_at bigint,
            is_for_review boolean NOT NULL,
            legacy_id text COLLATE "C",
            CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))
        ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
        CREATE UNIQUE INDEX users_by_legacy_id ON users (legacy_id) WHERE legacy_id IS NOT NULL;
        CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

        CREATE TABLE identities (
            kind text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at bigint NOT NULL,
            last_used_at bigint NOT NULL,
            tokens_from bigint,
            PRIMARY KEY (kind, value)
        ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
        CREATE INDEX identities_by_user ON identities (user_id, kind, created_at);

        CREATE TABLE unproved_addresses (
            address text COLLATE "C" PRIMARY KEY,
            user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at bigint NOT NULL
        );
        CREATE INDEX unproved_addresses_by_user ON unproved_addresses (user_id);

        CREATE TABLE resolutions (
            attestation_id text COLLATE "C" PRIMARY KEY,
            user_id bytea NOT NULL,
            is_new_user boolean NOT NULL,
            restored boolean NOT NULL,
            expires_at bigint NOT NULL,
            call bytea,
            made_at bigint
        );

        CREATE TABLE removed_users (id bytea PRIMARY KEY CHECK (length(id) = 16));

        CREATE TABLE restore_floor (id bigint PRIMARY KEY CHECK (id = 1), epoch bigint NOT NULL);
        INSERT INTO restore_floor (id, epoch) VALUES (1, 0);

        CREATE TABLE passwords (
            user_id bytea PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            hash text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            changed_at bigint
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE registrations (
            id bytea PRIMARY KEY CHECK (length(id) = 16),
            address text COLLATE "C" NOT NULL,
            hash text COLLATE "C" NOT NULL,
            name text COLLATE "C",
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL
        );
        CREATE INDEX registrations_by_address ON registrations (address, created_at);
        CREATE TABLE invitations (
            kind text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            id bytea NOT NULL CHECK (length(id) = 16),
            role text COLLATE "C" NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (kind, value)
        );
        CREATE TABLE account_links (
            hash bytea PRIMARY KEY CHECK (length(hash) = 32),
            purpose text COLLATE "C" NOT NULL,
            subject bytea NOT NULL CHECK (length(subject) = 16),
            address text COLLATE "C" NOT NULL,
            expires_at bigint NOT NULL
        );
        CREATE INDEX account_links_by_subject ON account_links (subject);
        CREATE TABLE first_answers (
            call bytea PRIMARY KEY CHECK (length(call) = 16),
            answer bytea NOT NULL,
            user_id bytea,
            ends_sessions boolean NOT NULL,
            expires_at bigint NOT NULL
        );

        CREATE TABLE apple_tokens (
            user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            subject text COLLATE "C" NOT NULL,
            client_id text COLLATE "C" NOT NULL,
            payload text COLLATE "C" NOT NULL,
            signed_in_at bigint NOT NULL,
            PRIMARY KEY (user_id, subject, client_id)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);

        CREATE TABLE outbox (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            lane text COLLATE "C" NOT NULL,
            kind text COLLATE "C" NOT NULL,
            user_id bytea NOT NULL,
            payload text COLLATE "C" NOT NULL,
            attempts bigint NOT NULL DEFAULT 0,
            next_attempt_at bigint NOT NULL,
            created_at bigint NOT NULL,
            rank bigint NOT NULL,
            network text COLLATE "C" NOT NULL,
            turn bigint NOT NULL
        );
        CREATE INDEX outbox_by_due ON outbox (lane, next_attempt_at);
        CREATE INDEX outbox_by_user ON outbox (user_id);
        CREATE INDEX outbox_by_place ON outbox (lane, rank, turn) WHERE next_attempt_at < 9223372036854775807;
        CREATE INDEX outbox_by_network ON outbox (network, rank) WHERE network <> '';

        CREATE TABLE decisions (
            sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            subject bytea NOT NULL,
            detail text COLLATE "C"
        );
        CREATE INDEX decisions_by_subject ON decisions (subject);

        CREATE FUNCTION add_decision(kind text, subject bytea, detail text) RETURNS void LANGUAGE plpgsql AS $f$ BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended('decisions of ' || current_schema(), 0));
            INSERT INTO decisions (at, kind, subject, detail)
                VALUES (extract(epoch FROM clock_timestamp())::bigint, $1, $2, $3);
        END $f$;

        CREATE FUNCTION user_decision() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
            IF NEW.is_active IS DISTINCT FROM OLD.is_active THEN
                PERFORM add_decision(CASE WHEN NEW.is_active THEN 'reactivated' ELSE 'deactivated' END, NEW.id, NULL);
            END IF;
            IF NEW.role IS DISTINCT FROM OLD.role THEN
                PERFORM add_decision('role_lost', NEW.id, OLD.role);
                PERFORM add_decision('role_given', NEW.id, NEW.role);
            END IF;
            IF NEW.deletion_due_at IS DISTINCT FROM OLD.deletion_due_at THEN
                PERFORM add_decision(
                    CASE WHEN NEW.deletion_due_at IS NULL THEN 'deletion_withdrawn' ELSE 'deletion_requested' END,
                    NEW.id, NEW.deletion_requested_at || '/' || NEW.deletion_due_at);
            END IF;
            RETURN NULL;
        END $f$;
        CREATE TRIGGER user_change_is_a_decision AFTER UPDATE OF is_active, role, deletion_due_at ON users
            FOR EACH ROW WHEN (
                NEW.is_active IS DISTINCT FROM OLD.is_active OR NEW.role IS DISTINCT FROM OLD.role
                OR NEW.deletion_due_at IS DISTINCT FROM OLD.deletion_due_at)
            EXECUTE FUNCTION user_decision();

        CREATE FUNCTION password_decision() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
            IF TG_OP = 'UPDATE' OR EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id) THEN
                PERFORM add_decision('password_changed', OLD.user_id, NULL);
            END IF;
            RETURN NULL;
        END $f$;
        CREATE TRIGGER password_change_is_a_decision AFTER UPDATE OF version ON passwords
            FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version) EXECUTE FUNCTION password_decision();
        CREATE TRIGGER password_removal_is_a_decision AFTER DELETE ON passwords
            FOR EACH ROW EXECUTE FUNCTION password_decision();

        CREATE FUNCTION identity_decision() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
            IF TG_OP = 'UPDATE' OR EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id) THEN
                PERFORM add_decision('identity_lost', OLD.user_id, OLD.kind || '/' || OLD.created_at);
            END IF;
            RETURN NULL;
        END $f$;
        CREATE TRIGGER moved_identity_is_a_decision AFTER UPDATE OF user_id ON identities
            FOR EACH ROW WHEN (NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION identity_decision();
        CREATE TRIGGER identity_removal_is_a_decision AFTER DELETE ON identities
            FOR EACH ROW EXECUTE FUNCTION identity_decision();

        CREATE FUNCTION invitation_decision() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
            PERFORM add_decision('invitation_ended', OLD.id, NULL);
            RETURN NULL;
        END $f$;
        CREATE TRIGGER ended_invitation_is_a_decision AFTER DELETE ON invitations
            FOR EACH ROW EXECUTE FUNCTION invitation_decision();
        CREATE TRIGGER replaced_invitation_is_a_decision AFTER UPDATE OF id ON invitations
            FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id) EXECUTE FUNCTION invitation_decision();

        CREATE TABLE audit_moved (stream_id text COLLATE "C" PRIMARY KEY, moved_at bigint NOT NULL);
        CREATE INDEX audit_moved_by_time ON audit_moved (moved_at);
        \(AuditChain.tables(
            columns: """
                at bigint NOT NULL, event text COLLATE "C" NOT NULL, subject bytea NOT NULL, method text COLLATE "C",
                session_id text COLLATE "C", request_id text COLLATE "C", detail text COLLATE "C"
                """));
        \(PostgreSQLLeases.table)
        """
}
