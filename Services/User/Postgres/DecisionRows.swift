import InternalAPI
import PostgreSQL
import Storage
import UserCore

/// Reads security decisions. Triggers record them, so that no change is without its record.
enum DecisionRows {
    /// Each record waits for the transactions with earlier ones, so a reader who has read up to a number misses none before it.
    static let migration = Migration(
        "security decisions",
        """
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
            FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id) EXECUTE FUNCTION invitation_decision()
        """)

    static let after = """
        SELECT sequence, at, kind, subject, detail FROM decisions WHERE sequence > $1 ORDER BY sequence LIMIT $2::bigint
        """

    static func decision(_ row: Row) throws -> RecordedDecision {
        guard let kind = SecurityDecision.Kind(rawValue: row.text(2)) else {
            throw StorageError(.corrupt, "a security decision does not decode")
        }
        return RecordedDecision(
            sequence: row.integer(0), at: row.integer(1), kind: kind, subject: try row.userID(3),
            detail: row.optionalText(4))
    }
}
