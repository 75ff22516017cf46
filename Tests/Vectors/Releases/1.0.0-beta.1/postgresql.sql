--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: latchkey_token; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA latchkey_token;


ALTER SCHEMA latchkey_token OWNER TO postgres;

--
-- Name: latchkey_user; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA latchkey_user;


ALTER SCHEMA latchkey_user OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: audit; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.audit (
    slot bigint NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    id bigint NOT NULL,
    at bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    user_id bytea,
    sid bytea,
    detail text COLLATE pg_catalog."C"
);


ALTER TABLE latchkey_token.audit OWNER TO postgres;

--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE latchkey_token.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME latchkey_token.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: audit_slots; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.audit_slots (
    number bigint NOT NULL,
    newest bigint NOT NULL,
    newest_hash bytea NOT NULL,
    removed bigint NOT NULL,
    removed_hash bytea NOT NULL
)
WITH (fillfactor='20');


ALTER TABLE latchkey_token.audit_slots OWNER TO postgres;

--
-- Name: copied_file; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.copied_file (
    id bigint NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    begun_at bigint NOT NULL,
    finished_at bigint,
    CONSTRAINT copied_file_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_token.copied_file OWNER TO postgres;

--
-- Name: hourly_counts; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.hourly_counts (
    hour bigint NOT NULL,
    series text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL
);


ALTER TABLE latchkey_token.hourly_counts OWNER TO postgres;

--
-- Name: key_revocations; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.key_revocations (
    kid text NOT NULL COLLATE pg_catalog."C",
    holds_until bigint NOT NULL,
    published boolean NOT NULL
);


ALTER TABLE latchkey_token.key_revocations OWNER TO postgres;

--
-- Name: leases; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    until bigint NOT NULL
);


ALTER TABLE latchkey_token.leases OWNER TO postgres;

--
-- Name: restore_floor; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.restore_floor (
    id bigint NOT NULL,
    epoch bigint NOT NULL,
    CONSTRAINT restore_floor_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_token.restore_floor OWNER TO postgres;

--
-- Name: revocations; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.revocations (
    sid bytea NOT NULL,
    reason bigint NOT NULL,
    access_expires_at bigint NOT NULL,
    published boolean NOT NULL
);


ALTER TABLE latchkey_token.revocations OWNER TO postgres;

--
-- Name: schema_migrations; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.schema_migrations (
    name text NOT NULL COLLATE pg_catalog."C",
    release text NOT NULL COLLATE pg_catalog."C",
    needs_release text NOT NULL COLLATE pg_catalog."C"
);


ALTER TABLE latchkey_token.schema_migrations OWNER TO postgres;

--
-- Name: server_record; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.server_record (
    id bigint NOT NULL,
    identifier bigint NOT NULL,
    number bigint NOT NULL,
    CONSTRAINT server_record_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_token.server_record OWNER TO postgres;

--
-- Name: session_blocks; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.session_blocks (
    id bigint NOT NULL,
    last bigint NOT NULL,
    CONSTRAINT session_blocks_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_token.session_blocks OWNER TO postgres;

--
-- Name: sessions; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.sessions (
    locator bigint NOT NULL,
    sid bytea NOT NULL,
    user_id bytea NOT NULL,
    epoch bigint NOT NULL,
    dialect text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL COLLATE pg_catalog."C",
    current_hash bytea NOT NULL,
    previous_hash bytea NOT NULL,
    generation bigint NOT NULL,
    salt bytea NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    authenticated_at bigint NOT NULL,
    idle_expires_at bigint NOT NULL,
    absolute_expires_at bigint,
    access_expires_at bigint NOT NULL,
    is_revoked boolean DEFAULT false NOT NULL,
    reason bigint DEFAULT 0 NOT NULL,
    late_repeats bigint DEFAULT 0 NOT NULL,
    late_generation bigint DEFAULT 0 NOT NULL,
    device text COLLATE pg_catalog."C",
    network text COLLATE pg_catalog."C",
    page_hash bytea,
    mark_generation bigint DEFAULT 0 NOT NULL,
    marked_at bigint DEFAULT 0 NOT NULL,
    older_mark_generation bigint DEFAULT 0 NOT NULL,
    older_marked_at bigint DEFAULT 0 NOT NULL,
    claims bytea NOT NULL,
    device_kind text COLLATE pg_catalog."C",
    actor bytea,
    factors bigint
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_token.sessions OWNER TO postgres;

--
-- Name: signing_keys; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.signing_keys (
    kid text NOT NULL COLLATE pg_catalog."C",
    algorithm text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    state_since bigint NOT NULL,
    created_at bigint NOT NULL,
    token_seconds bigint NOT NULL,
    sealed bytea NOT NULL
);


ALTER TABLE latchkey_token.signing_keys OWNER TO postgres;

--
-- Name: used_grants; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.used_grants (
    id text NOT NULL COLLATE pg_catalog."C",
    session bigint NOT NULL,
    expires_at bigint NOT NULL
);


ALTER TABLE latchkey_token.used_grants OWNER TO postgres;

--
-- Name: user_epochs; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.user_epochs (
    user_id bytea NOT NULL,
    epoch bigint NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    expires_at bigint,
    last_used_at bigint
);


ALTER TABLE latchkey_token.user_epochs OWNER TO postgres;

--
-- Name: user_events; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.user_events (
    id bigint NOT NULL,
    user_id bytea NOT NULL,
    sequence bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    subject bytea,
    reason text COLLATE pg_catalog."C",
    made_at bigint NOT NULL,
    queued_at bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    settled_at bigint,
    is_given_up boolean DEFAULT false NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_token.user_events OWNER TO postgres;

--
-- Name: user_events_id_seq; Type: SEQUENCE; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE latchkey_token.user_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME latchkey_token.user_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: version_floors; Type: TABLE; Schema: latchkey_token; Owner: postgres
--

CREATE TABLE latchkey_token.version_floors (
    sid bytea NOT NULL,
    version bigint NOT NULL,
    access_expires_at bigint NOT NULL,
    published boolean NOT NULL
);


ALTER TABLE latchkey_token.version_floors OWNER TO postgres;

--
-- Name: account_links; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.account_links (
    hash bytea NOT NULL,
    purpose text NOT NULL COLLATE pg_catalog."C",
    subject bytea NOT NULL,
    address text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT account_links_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT account_links_subject_check CHECK ((length(subject) = 16))
);


ALTER TABLE latchkey_user.account_links OWNER TO postgres;

--
-- Name: apple_tokens; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.apple_tokens (
    user_id bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    signed_in_at bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.apple_tokens OWNER TO postgres;

--
-- Name: audit; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.audit (
    slot bigint NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    id bigint NOT NULL,
    at bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    subject bytea NOT NULL,
    method text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    detail text COLLATE pg_catalog."C"
);


ALTER TABLE latchkey_user.audit OWNER TO postgres;

--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE latchkey_user.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME latchkey_user.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: audit_moved; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.audit_moved (
    stream_id text NOT NULL COLLATE pg_catalog."C",
    moved_at bigint NOT NULL
);


ALTER TABLE latchkey_user.audit_moved OWNER TO postgres;

--
-- Name: audit_slots; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.audit_slots (
    number bigint NOT NULL,
    newest bigint NOT NULL,
    newest_hash bytea NOT NULL,
    removed bigint NOT NULL,
    removed_hash bytea NOT NULL
)
WITH (fillfactor='20');


ALTER TABLE latchkey_user.audit_slots OWNER TO postgres;

--
-- Name: clients; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.clients (
    id text NOT NULL COLLATE pg_catalog."C",
    sid bytea NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    secret bytea NOT NULL,
    secret_at bigint NOT NULL,
    older_secret bytea,
    older_secret_at bigint,
    key text COLLATE pg_catalog."C",
    older_key text COLLATE pg_catalog."C",
    revoked_at bigint,
    CONSTRAINT clients_older_secret_check CHECK ((length(older_secret) = 32)),
    CONSTRAINT clients_secret_check CHECK ((length(secret) = 32)),
    CONSTRAINT clients_sid_check CHECK ((length(sid) = 12))
);


ALTER TABLE latchkey_user.clients OWNER TO postgres;

--
-- Name: copied_file; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.copied_file (
    id bigint NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    begun_at bigint NOT NULL,
    finished_at bigint,
    CONSTRAINT copied_file_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_user.copied_file OWNER TO postgres;

--
-- Name: decision_count; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.decision_count (
    id bigint NOT NULL,
    last bigint NOT NULL,
    CONSTRAINT decision_count_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_user.decision_count OWNER TO postgres;

--
-- Name: decisions; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.decisions (
    sequence bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    subject bytea NOT NULL,
    detail text COLLATE pg_catalog."C"
);


ALTER TABLE latchkey_user.decisions OWNER TO postgres;

--
-- Name: first_answers; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.first_answers (
    call bytea NOT NULL,
    answer bytea NOT NULL,
    user_id bytea,
    ends_sessions boolean NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT first_answers_call_check CHECK ((length(call) = 16))
);


ALTER TABLE latchkey_user.first_answers OWNER TO postgres;

--
-- Name: hourly_counts; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.hourly_counts (
    hour bigint NOT NULL,
    series text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL
);


ALTER TABLE latchkey_user.hourly_counts OWNER TO postgres;

--
-- Name: identities; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.identities (
    kind text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    tokens_from bigint
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.identities OWNER TO postgres;

--
-- Name: invitations; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.invitations (
    kind text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    id bytea NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    CONSTRAINT invitations_id_check CHECK ((length(id) = 16))
);


ALTER TABLE latchkey_user.invitations OWNER TO postgres;

--
-- Name: known_origins; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.known_origins (
    user_id bytea NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    tag bytea NOT NULL,
    seen_at bigint NOT NULL,
    first_seen_at bigint NOT NULL,
    tagged_for bytea,
    CONSTRAINT known_origins_tag_check CHECK ((length(tag) = 16))
)
WITH (autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.known_origins OWNER TO postgres;

--
-- Name: leases; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    until bigint NOT NULL
);


ALTER TABLE latchkey_user.leases OWNER TO postgres;

--
-- Name: merged_users; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.merged_users (
    id bytea NOT NULL,
    into_user bytea NOT NULL,
    pseudonym bytea NOT NULL,
    epoch bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT merged_users_id_check CHECK ((length(id) = 16)),
    CONSTRAINT merged_users_pseudonym_check CHECK ((length(pseudonym) = 16))
);


ALTER TABLE latchkey_user.merged_users OWNER TO postgres;

--
-- Name: outbox; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.outbox (
    id bigint NOT NULL,
    lane text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    payload text NOT NULL COLLATE pg_catalog."C",
    attempts bigint DEFAULT 0 NOT NULL,
    next_attempt_at bigint NOT NULL,
    created_at bigint NOT NULL,
    rank bigint NOT NULL,
    network text NOT NULL COLLATE pg_catalog."C",
    turn bigint NOT NULL
);


ALTER TABLE latchkey_user.outbox OWNER TO postgres;

--
-- Name: outbox_id_seq; Type: SEQUENCE; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE latchkey_user.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME latchkey_user.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: passkeys; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.passkeys (
    key bytea NOT NULL,
    credential_id bytea NOT NULL,
    id bytea NOT NULL,
    user_id bytea NOT NULL,
    user_handle bytea NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    flags bigint NOT NULL,
    aaguid bytea NOT NULL,
    transports bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    active_from bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    CONSTRAINT passkeys_id_check CHECK ((length(id) = 16)),
    CONSTRAINT passkeys_key_check CHECK ((length(key) = 32))
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.passkeys OWNER TO postgres;

--
-- Name: passwords; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.passwords (
    user_id bytea NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    changed_at bigint
)
WITH (autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.passwords OWNER TO postgres;

--
-- Name: pending_changes; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.pending_changes (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    other_id bytea,
    number text COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    moves_at bigint
);


ALTER TABLE latchkey_user.pending_changes OWNER TO postgres;

--
-- Name: recovery_codes; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.recovery_codes (
    user_id bytea NOT NULL,
    code bytea NOT NULL,
    used_at bigint,
    CONSTRAINT recovery_codes_code_check CHECK ((length(code) = 32))
);


ALTER TABLE latchkey_user.recovery_codes OWNER TO postgres;

--
-- Name: registrations; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.registrations (
    id bytea NOT NULL,
    address text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT registrations_id_check CHECK ((length(id) = 16))
);


ALTER TABLE latchkey_user.registrations OWNER TO postgres;

--
-- Name: removed_users; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.removed_users (
    id bytea NOT NULL,
    CONSTRAINT removed_users_id_check CHECK ((length(id) = 16))
);


ALTER TABLE latchkey_user.removed_users OWNER TO postgres;

--
-- Name: resolutions; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.resolutions (
    attestation_id text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    is_new_user boolean NOT NULL,
    restored boolean NOT NULL,
    expires_at bigint NOT NULL,
    call bytea,
    made_at bigint
);


ALTER TABLE latchkey_user.resolutions OWNER TO postgres;

--
-- Name: restore_floor; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.restore_floor (
    id bigint NOT NULL,
    epoch bigint NOT NULL,
    CONSTRAINT restore_floor_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_user.restore_floor OWNER TO postgres;

--
-- Name: restored_identities; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.restored_identities (
    user_id bytea NOT NULL,
    sealed text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL
);


ALTER TABLE latchkey_user.restored_identities OWNER TO postgres;

--
-- Name: reviews; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.reviews (
    user_id bytea NOT NULL,
    since bigint NOT NULL,
    opened_at bigint NOT NULL,
    ends_at bigint
);


ALTER TABLE latchkey_user.reviews OWNER TO postgres;

--
-- Name: schema_migrations; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.schema_migrations (
    name text NOT NULL COLLATE pg_catalog."C",
    release text NOT NULL COLLATE pg_catalog."C",
    needs_release text NOT NULL COLLATE pg_catalog."C"
);


ALTER TABLE latchkey_user.schema_migrations OWNER TO postgres;

--
-- Name: server_record; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.server_record (
    id bigint NOT NULL,
    identifier bigint NOT NULL,
    number bigint NOT NULL,
    CONSTRAINT server_record_id_check CHECK ((id = 1))
);


ALTER TABLE latchkey_user.server_record OWNER TO postgres;

--
-- Name: totp; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.totp (
    user_id bytea NOT NULL,
    secret bytea,
    last_step bigint,
    activated_at bigint,
    required boolean NOT NULL,
    wrong_count bigint NOT NULL,
    guessed_at bigint NOT NULL
);


ALTER TABLE latchkey_user.totp OWNER TO postgres;

--
-- Name: unverified_addresses; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.unverified_addresses (
    address text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    created_at bigint NOT NULL
);


ALTER TABLE latchkey_user.unverified_addresses OWNER TO postgres;

--
-- Name: user_events; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.user_events (
    id bigint NOT NULL,
    user_id bytea NOT NULL,
    sequence bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    subject bytea,
    reason text COLLATE pg_catalog."C",
    made_at bigint NOT NULL,
    queued_at bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    settled_at bigint,
    is_given_up boolean DEFAULT false NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.user_events OWNER TO postgres;

--
-- Name: user_events_id_seq; Type: SEQUENCE; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE latchkey_user.user_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME latchkey_user.user_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: users; Type: TABLE; Schema: latchkey_user; Owner: postgres
--

CREATE TABLE latchkey_user.users (
    id bytea NOT NULL,
    pseudonym bytea NOT NULL,
    name text COLLATE pg_catalog."C",
    attributes text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    is_active boolean NOT NULL,
    epoch bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deletion_requested_at bigint,
    deletion_due_at bigint,
    is_for_review boolean NOT NULL,
    legacy_id text COLLATE pg_catalog."C",
    app_metadata text COLLATE pg_catalog."C",
    own_metadata text COLLATE pg_catalog."C",
    CONSTRAINT users_check CHECK (((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))),
    CONSTRAINT users_id_check CHECK ((length(id) = 16)),
    CONSTRAINT users_pseudonym_check CHECK ((length(pseudonym) = 16))
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0.02');


ALTER TABLE latchkey_user.users OWNER TO postgres;

--
-- Data for Name: audit; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit (slot, number, hash, id, at, event, user_id, sid, detail) FROM stdin;
1	1	\\x2462be41446984ecb9885a608f8d7970753244c3fa9a31266f2007cc36bb5b8c	1	1796084234	key.made	\N	\N	7b6fa5c64efdad4e
1	2	\\xd80bfd0ce88a99394d7ab6f53adf56e566c4910b671e6e1a1c7c46172776a6af	2	1796084234	session.opened	\\x01a22ef679fd73519fd248be7d675ac0	\\x6b0e120a6fbad4c2f77292b0	sms
1	3	\\xde7da6098493bcd5b25031e9305cbe986a0bec04ff729a5d8461924d9a8790de	3	1796084234	session.opened	\\x01a22ef67a25723097fc9dfed74a869e	\\x6b0e120a7c179a9f891aeb38	email
1	4	\\xd0f8df7ea7f7632dc2bf00696acfba6005e7f23045588639da952dd03562c05b	4	1796084234	session.opened	\\x01a22ef67a3b70c5999566e8c5272709	\\x6b0e120a70839571f95ce402	sms
1	5	\\x4f22dcc43eb8ba78b5cd3b6eea424a5c8877987bfe0c4f465043381563c9b7af	5	1796084234	session.revoked	\\x01a22ef67a3b70c5999566e8c5272709	\\x6b0e120a70839571f95ce402	logout
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\x4f22dcc43eb8ba78b5cd3b6eea424a5c8877987bfe0c4f465043381563c9b7af	0	\\x0000000000000000000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: copied_file; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.copied_file (id, path, digest, begun_at, finished_at) FROM stdin;
\.


--
-- Data for Name: hourly_counts; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.hourly_counts (hour, series, amount) FROM stdin;
1796083200	refreshes/rotated	1
1796083200	sign_ins/email	1
1796083200	sign_ins/sms	2
\.


--
-- Data for Name: key_revocations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.key_revocations (kid, holds_until, published) FROM stdin;
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.leases (name, holder, until) FROM stdin;
\.


--
-- Data for Name: restore_floor; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.restore_floor (id, epoch) FROM stdin;
1	0
\.


--
-- Data for Name: revocations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.revocations (sid, reason, access_expires_at, published) FROM stdin;
\\x6b0e120a70839571f95ce402	0	1796087834	t
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.schema_migrations (name, release, needs_release) FROM stdin;
version 1, c6410dff289faf46	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.server_record (id, identifier, number) FROM stdin;
1	7714123047923328384	1796084235
\.


--
-- Data for Name: session_blocks; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.session_blocks (id, last) FROM stdin;
1	1
\.


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, late_repeats, late_generation, device, network, page_hash, mark_generation, marked_at, older_mark_generation, older_marked_at, claims, device_kind, actor, factors) FROM stdin;
1	\\x6b0e120a6fbad4c2f77292b0	\\x01a22ef679fd73519fd248be7d675ac0	1	native	sms	\\x0f0c6843af5ba0d76d7c98b14df35ddbc4fecfd8d5595d2cce7beb5a4731c2c4	\\x6a30dd738bdb5f827e019ca11ac3bde4491beff3a5c9040afcdafd094e9e3277	1	\\xce07f28eb0fc7ddbb54f4a39e94b5999	1796084234	1796084234	1796084234	1798676234	1803860234	1796087834	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\xd62504a580a6d291bff4ff9e6f10ad2c0ed05e74b50c6d5b7d5b1870a43a96e24631c4dcb9142912f6ff847c1574545ca35043a7aab43e62be2f	\N	\N	\N
2	\\x6b0e120a7c179a9f891aeb38	\\x01a22ef67a25723097fc9dfed74a869e	1	native	email	\\xd7bd9a8b4687b29e59cc786b221561e8bfd2d736ec7b3c35b7285a082465b8fa	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\x272fc717e41bb12216db38117bae1117	1796084234	1796084234	1796084234	1798676234	1803860234	1796087834	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x6c9204e038f8b7efde86aefa415edf3b5d63103d9b63e1e535ca047302002b037fd3ac30d0088d5f614897e4da0f500775495aff0a18d8455eb61470f72325c2befd0bb4b790b5b8781c7855c2891ff59f0e42d84f6c173640718a667a5adab53c37	\N	\N	\N
3	\\x6b0e120a70839571f95ce402	\\x01a22ef67a3b70c5999566e8c5272709	1	native	sms	\\xe6af6ca5506e8898b30dabc737878f4253b726679ca4c62ccf85142769d02ccd	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xa24f27b68301526e5133ac4eeea33515	1796084234	1796084234	1796084234	1798676234	1803860234	1796087834	t	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x985b3a6b3cac0b64da0915f06dd6f7e710e7ecbe386fcb97d52e0a3e8b481638c5fae24d3d1fe3cb3bf737d53bfaf5d113f07560c313dd21be57	\N	\N	\N
\.


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.signing_keys (kid, algorithm, state, state_since, created_at, token_seconds, sealed) FROM stdin;
7b6fa5c64efdad4e	RS256	signing	1796084234	1796084234	3660	\\xffd04e50162ea013e7d1cf68282c86167ee14b2c2857d2cea04e0ebe7c472f8f73f9c7a2997e279b3c965ad61f6b495678fa1e0f5151b3c3f908e668e01710708eeccd6b8e999edf5842da5501ecf431f35f94c7e4eee4b66a8b69d0bf1a274b91cd45afe488307962bbdca0254edfb43bade667fe6b8cd48b4b4c7e274af1561bd61ca1abbb33424251869f0db13b245ec54f9536dc1f9837308e3598f3d2b054210c118ccc27175b8cd44e8d3ed57b92f33757cdb8e0722ee3f33a352b374d39c336189559fd39d1c2d12dddcd6fcd4e5e21041d9d307a88ee4d1cca0aff7454868636cc269d95cb1ff10218e8cbe465cec0c8633b924e9bb97efe11c5c091dd64e0a350344540658e9b3f6fc7f5a91cc44a1d28ea3adba6cdcde66763ef4a5db5619abbd2915df66261e101e327245391692fa506875325a9a92d83056f85161a23c5f4d97cea5b2e74aad8ddf501ab53804b1c66dae811f9ccae486411aaa35e05f90a4a0f4722bb4f8ed0e02709c50688922d240f64ab4b7fc9e3d3a8b100ee349012c8d218a777f51425a9d978feacf468720d39aa9e3d205ed75613b832fce1be8609d4e437f357170636da51bcfb28bc586a93ae2af6264f61db9212fb599ef3c8139988327ada3c51e32c1724961821c31a1d6cbf68779205f55a0c0d3f4bf6b084b24184c5a621d36097f7fb5bd96e5644898a3168b9427d7aef7ab6eac11202f685f99d580dfda9cacb06992297cc30c483f1666dbaf203f49de7b01b595a9d14d78327bcb31ad888b9840484e8bf75b200f8e969749f1e5e1e9cbfa5ea01c4cb02011faa9851202d9b6d9c93ca23009629547c5761b0a6dfe2f46798f8fbb12be5970f6693c2ee03506d6ff96ad98a1a598ddcb16911d780c09211e93f24ecea3c204666212d1bd7dad3f370539edbee7bacf193bbe4176affeb8dd7be31b9dae7d5ef0ecb5788804062a530076d5cc1d6783d8fb128ffb1c130a8fdebc1d7fffcf4e27c2e1a7221a6ed3d44d16fec9d72ae44c7e437c8cccdda6e653508ba63edbc87942ba569c3dbf8398d0af1bfe2e51f4db973ccba3a91b38ef198c30bcaccba3d035b4ffaec870c0f92eac343715703967798f5a62eeaf7ffafe69bf9205e896e7705d1bb71526dc6ffe9739e349cd98d26024e5b8502eaa1c263beac49dcbe3b6d8713cd68f1b3c8456a5d514b754df2fdb16fcaa100966e236458e61901fc8624807e2e872ba79da54e0e52262bcfd1b3493c8908e8f599ebfc9faf9ddf65dc6cd0229275ba08d1b3b94da3d95002505acb21b9036b4735d8806c97fadbf1281a5fa7e204ba321217a31f303895a2b158463433352d1ed079ef82f9abde55681c65c0919e1546f7f27b083e97415b5f35e48d7c5d74984ee4da1636476a7d6f585589cd55348bb3c48d2b8b2fd8f15fea512e15060a1a1662a07afb34c7441399eb23b0a3df96ca260c4d6e2032192e91f8ddcf14c5bbd175c2a83f0106dc6c19a00d196ba4773c39cf07a697e3f2123999010f16070f8964e9f14a0f21c243697986cafc51dd4e7f1026f17f3c0a572c1f2c35ac02317976859065a8dfe47d96f39729f00ec08fc5b11cff4c533c918b2291ebc1925ccc0eb1832d15a1b5c4b96fecad8f62e792256df550440056e2e78f85f33016274c1db123d7ac3c3d4cff1ba3932e759e031061c0cc18f3897f7b237e275bab387431a7e8469f504358388d691799e0088bc6c183140c45e493a4c852b5
\.


--
-- Data for Name: used_grants; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.used_grants (id, session, expires_at) FROM stdin;
6b0e120aDO7Ff2Qokj_rXXcOhffLQFs28xFKEnmu	1	1796087894
6b0e120aSLmkEX9lBAgwEGIcaqvwbgxyG1qqOiEq	2	1796087894
6b0e120aeaR5ALOVI_TEcsoChX6agjMZ3b-o2cnU	3	1796087894
\.


--
-- Data for Name: user_epochs; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.user_epochs (user_id, epoch, version, expires_at, last_used_at) FROM stdin;
\.


--
-- Data for Name: user_events; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.user_events (id, user_id, sequence, kind, subject, reason, made_at, queued_at, attempts, due_at, settled_at, is_given_up) FROM stdin;
\.


--
-- Data for Name: version_floors; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.version_floors (sid, version, access_expires_at, published) FROM stdin;
\.


--
-- Data for Name: account_links; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.account_links (hash, purpose, subject, address, created_at, expires_at) FROM stdin;
\.


--
-- Data for Name: apple_tokens; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.apple_tokens (user_id, subject, client_id, payload, signed_in_at) FROM stdin;
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit (slot, number, hash, id, at, event, subject, method, session_id, request_id, detail) FROM stdin;
1	1	\\xfbc0d6bdd970fc9a41070f7eead5eaeca21c5c5ea316390067754ea56da79f51	1	1796084234	user.created	\\xc0627c5e221e00c389c30fa9dcb413d6	sms	\N	9f8f37733c08cd7effee3fecdb07d580	\N
1	2	\\xb691a13fec229a761531d5ab1ece475c5cedd6a522df6a1efab2da193ed07a0f	2	1796084234	otp.sent	\\x10c3103f29d10d11e911c3e970c9cda5	\N	\N	\N	stranger
1	3	\\x411ea5a85616d11ea84d9a45c901199376ec7cadaf97852bfc380bcc81a19c41	3	1796084234	otp.approved	\\x10c3103f29d10d11e911c3e970c9cda5	\N	\N	\N	stranger
1	4	\\x2eba4c3a509ce2f006f10fc58cc0c9040e167dd04cba713e9483c0bcc9600445	4	1796084234	user.created	\\xce6c7560c7c574ec744e91b49283908e	email	\N	8886432957f936de11e1fd021825a483	\N
1	5	\\x931b8e7340b335ebee9b07bd2b3ea045d8f2e205d201de4dd18db47c0336bc37	5	1796084234	user.created	\\x989f196cdb2689a520568ac4f510ce7f	sms	\N	d6a49d18531431de3de38b2dbf08658e	\N
2	1	\\x6909d1adf62bc51cbe0cacf20a53195a3e07f52a739f749fce1639f2fc978b6f	6	1796084234	otp.sent	\\x59de871591f898a4c2ad6322951da83d	\N	\N	\N	stranger
2	2	\\x436bbc6593314e82e42602d1fe3b8859089dc35fe993c515b156ccacd13017e8	7	1796084234	otp.approved	\\x59de871591f898a4c2ad6322951da83d	\N	\N	\N	stranger
2	3	\\x8d6beb87da274dd1c1b9dd8de7a1f8bab88e885670d6e075552d10fbaa986d6b	8	1796084234	otp.sent	\\x14fa7b39848460d110d91e5d06184de7	\N	\N	\N	stranger
2	4	\\xc502f7c1734c76c36fcfaaa2df1fbd7609050ef5b100c94b67b225ed32e15414	9	1796084234	otp.approved	\\x14fa7b39848460d110d91e5d06184de7	\N	\N	\N	stranger
\.


--
-- Data for Name: audit_moved; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_moved (stream_id, moved_at) FROM stdin;
1796084235731-0	1796084234
1796084235744-0	1796084234
1796084235777-0	1796084235
1796084235787-0	1796084235
1796084235801-0	1796084235
1796084235809-0	1796084235
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\x931b8e7340b335ebee9b07bd2b3ea045d8f2e205d201de4dd18db47c0336bc37	0	\\x0000000000000000000000000000000000000000000000000000000000000000
2	4	\\xc502f7c1734c76c36fcfaaa2df1fbd7609050ef5b100c94b67b225ed32e15414	0	\\x0000000000000000000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: clients; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.clients (id, sid, role, created_at, secret, secret_at, older_secret, older_secret_at, key, older_key, revoked_at) FROM stdin;
\.


--
-- Data for Name: copied_file; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.copied_file (id, path, digest, begun_at, finished_at) FROM stdin;
\.


--
-- Data for Name: decision_count; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.decision_count (id, last) FROM stdin;
1	0
\.


--
-- Data for Name: decisions; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.decisions (sequence, at, kind, subject, detail) FROM stdin;
\.


--
-- Data for Name: first_answers; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.first_answers (call, answer, user_id, ends_sessions, expires_at) FROM stdin;
\.


--
-- Data for Name: hourly_counts; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.hourly_counts (hour, series, amount) FROM stdin;
1796083200	codes_sent/+1/sms	2
1796083200	codes_sent/none/email	1
1796083200	codes_used/+1/sms	2
1796083200	codes_used/none/email	1
1796083200	new_users/email	1
1796083200	new_users/sms	2
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.identities (kind, value, user_id, created_at, last_used_at, tokens_from) FROM stdin;
phone	+15557133304	\\x01a22ef679fd73519fd248be7d675ac0	1796084234	1796084234	\N
email	ann.fa48080d-c6a7-4f36-a6db-be08a074b315@example.com	\\x01a22ef67a25723097fc9dfed74a869e	1796084234	1796084234	\N
phone	+15557133305	\\x01a22ef67a3b70c5999566e8c5272709	1796084234	1796084234	\N
\.


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.invitations (kind, value, id, role, expires_at) FROM stdin;
\.


--
-- Data for Name: known_origins; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.known_origins (user_id, kind, tag, seen_at, first_seen_at, tagged_for) FROM stdin;
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.leases (name, holder, until) FROM stdin;
audit_mover	98a255dec2498802	1796084246
\.


--
-- Data for Name: merged_users; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.merged_users (id, into_user, pseudonym, epoch, created_at) FROM stdin;
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.outbox (id, lane, kind, user_id, payload, attempts, next_attempt_at, created_at, rank, network, turn) FROM stdin;
\.


--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.passkeys (key, credential_id, id, user_id, user_handle, kind, public_key, sign_count, flags, aaguid, transports, name, epoch, active_from, created_at, last_used_at) FROM stdin;
\.


--
-- Data for Name: passwords; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.passwords (user_id, hash, version, changed_at) FROM stdin;
\.


--
-- Data for Name: pending_changes; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.pending_changes (id, kind, user_id, other_id, number, payload, created_at, moves_at) FROM stdin;
\.


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.recovery_codes (user_id, code, used_at) FROM stdin;
\.


--
-- Data for Name: registrations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.registrations (id, address, hash, name, created_at, expires_at) FROM stdin;
\.


--
-- Data for Name: removed_users; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.removed_users (id) FROM stdin;
\.


--
-- Data for Name: resolutions; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.resolutions (attestation_id, user_id, is_new_user, restored, expires_at, call, made_at) FROM stdin;
6b0e120af6296086adaab9123909235137ae3c6d	\\x01a22ef679fd73519fd248be7d675ac0	t	f	1796087894	\N	\N
6b0e120a95c1791c009b6759f8bee225c79b4907	\\x01a22ef67a25723097fc9dfed74a869e	t	f	1796087894	\N	\N
6b0e120a0b6cb98470a19b84700af2437a94d01b	\\x01a22ef67a3b70c5999566e8c5272709	t	f	1796087894	\N	\N
\.


--
-- Data for Name: restore_floor; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.restore_floor (id, epoch) FROM stdin;
1	0
\.


--
-- Data for Name: restored_identities; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.restored_identities (user_id, sealed, kind, since) FROM stdin;
\.


--
-- Data for Name: reviews; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.reviews (user_id, since, opened_at, ends_at) FROM stdin;
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.schema_migrations (name, release, needs_release) FROM stdin;
version 1, 3fb85a6a47e0049c	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.server_record (id, identifier, number) FROM stdin;
1	7714123047923328384	1796084235
\.


--
-- Data for Name: totp; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.totp (user_id, secret, last_step, activated_at, required, wrong_count, guessed_at) FROM stdin;
\.


--
-- Data for Name: unverified_addresses; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.unverified_addresses (address, user_id, created_at) FROM stdin;
\.


--
-- Data for Name: user_events; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.user_events (id, user_id, sequence, kind, subject, reason, made_at, queued_at, attempts, due_at, settled_at, is_given_up) FROM stdin;
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.users (id, pseudonym, name, attributes, role, is_active, epoch, version, created_at, updated_at, deletion_requested_at, deletion_due_at, is_for_review, legacy_id, app_metadata, own_metadata) FROM stdin;
\\x01a22ef679fd73519fd248be7d675ac0	\\xc0627c5e221e00c389c30fa9dcb413d6	Ann	{}	user	t	1	1	1796084234	1796084234	\N	\N	f	\N	\N	\N
\\x01a22ef67a25723097fc9dfed74a869e	\\xce6c7560c7c574ec744e91b49283908e	\N	{}	user	t	1	1	1796084234	1796084234	\N	\N	f	\N	\N	\N
\\x01a22ef67a3b70c5999566e8c5272709	\\x989f196cdb2689a520568ac4f510ce7f	\N	{}	user	t	1	1	1796084234	1796084234	\N	\N	f	\N	\N	\N
\.


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: latchkey_token; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_token.audit_id_seq', 5, true);


--
-- Name: user_events_id_seq; Type: SEQUENCE SET; Schema: latchkey_token; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_token.user_events_id_seq', 1, false);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: latchkey_user; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_user.audit_id_seq', 9, true);


--
-- Name: outbox_id_seq; Type: SEQUENCE SET; Schema: latchkey_user; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_user.outbox_id_seq', 1, false);


--
-- Name: user_events_id_seq; Type: SEQUENCE SET; Schema: latchkey_user; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_user.user_events_id_seq', 1, false);


--
-- Name: audit audit_id_key; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.audit
    ADD CONSTRAINT audit_id_key UNIQUE (id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (slot, number);


--
-- Name: audit_slots audit_slots_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.audit_slots
    ADD CONSTRAINT audit_slots_pkey PRIMARY KEY (number);


--
-- Name: copied_file copied_file_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.copied_file
    ADD CONSTRAINT copied_file_pkey PRIMARY KEY (id);


--
-- Name: hourly_counts hourly_counts_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.hourly_counts
    ADD CONSTRAINT hourly_counts_pkey PRIMARY KEY (hour, series);


--
-- Name: key_revocations key_revocations_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.key_revocations
    ADD CONSTRAINT key_revocations_pkey PRIMARY KEY (kid);


--
-- Name: leases leases_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);


--
-- Name: restore_floor restore_floor_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.restore_floor
    ADD CONSTRAINT restore_floor_pkey PRIMARY KEY (id);


--
-- Name: revocations revocations_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.revocations
    ADD CONSTRAINT revocations_pkey PRIMARY KEY (sid);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


--
-- Name: server_record server_record_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.server_record
    ADD CONSTRAINT server_record_pkey PRIMARY KEY (id);


--
-- Name: session_blocks session_blocks_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.session_blocks
    ADD CONSTRAINT session_blocks_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (locator);


--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: used_grants used_grants_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.used_grants
    ADD CONSTRAINT used_grants_pkey PRIMARY KEY (id);


--
-- Name: user_epochs user_epochs_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.user_epochs
    ADD CONSTRAINT user_epochs_pkey PRIMARY KEY (user_id);


--
-- Name: user_events user_events_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.user_events
    ADD CONSTRAINT user_events_pkey PRIMARY KEY (id);


--
-- Name: version_floors version_floors_pkey; Type: CONSTRAINT; Schema: latchkey_token; Owner: postgres
--

ALTER TABLE ONLY latchkey_token.version_floors
    ADD CONSTRAINT version_floors_pkey PRIMARY KEY (sid);


--
-- Name: account_links account_links_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.account_links
    ADD CONSTRAINT account_links_pkey PRIMARY KEY (hash);


--
-- Name: apple_tokens apple_tokens_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.apple_tokens
    ADD CONSTRAINT apple_tokens_pkey PRIMARY KEY (user_id, subject, client_id);


--
-- Name: audit audit_id_key; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.audit
    ADD CONSTRAINT audit_id_key UNIQUE (id);


--
-- Name: audit_moved audit_moved_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.audit_moved
    ADD CONSTRAINT audit_moved_pkey PRIMARY KEY (stream_id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (slot, number);


--
-- Name: audit_slots audit_slots_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.audit_slots
    ADD CONSTRAINT audit_slots_pkey PRIMARY KEY (number);


--
-- Name: clients clients_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);


--
-- Name: clients clients_sid_key; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.clients
    ADD CONSTRAINT clients_sid_key UNIQUE (sid);


--
-- Name: copied_file copied_file_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.copied_file
    ADD CONSTRAINT copied_file_pkey PRIMARY KEY (id);


--
-- Name: decision_count decision_count_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.decision_count
    ADD CONSTRAINT decision_count_pkey PRIMARY KEY (id);


--
-- Name: decisions decisions_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (sequence);


--
-- Name: first_answers first_answers_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.first_answers
    ADD CONSTRAINT first_answers_pkey PRIMARY KEY (call);


--
-- Name: hourly_counts hourly_counts_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.hourly_counts
    ADD CONSTRAINT hourly_counts_pkey PRIMARY KEY (hour, series);


--
-- Name: identities identities_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (kind, value);


--
-- Name: invitations invitations_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (kind, value);


--
-- Name: known_origins known_origins_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.known_origins
    ADD CONSTRAINT known_origins_pkey PRIMARY KEY (user_id, kind, tag);


--
-- Name: leases leases_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);


--
-- Name: merged_users merged_users_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.merged_users
    ADD CONSTRAINT merged_users_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (key);


--
-- Name: passwords passwords_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (user_id);


--
-- Name: pending_changes pending_changes_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.pending_changes
    ADD CONSTRAINT pending_changes_pkey PRIMARY KEY (id);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code);


--
-- Name: registrations registrations_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.registrations
    ADD CONSTRAINT registrations_pkey PRIMARY KEY (id);


--
-- Name: removed_users removed_users_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.removed_users
    ADD CONSTRAINT removed_users_pkey PRIMARY KEY (id);


--
-- Name: resolutions resolutions_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.resolutions
    ADD CONSTRAINT resolutions_pkey PRIMARY KEY (attestation_id);


--
-- Name: restore_floor restore_floor_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.restore_floor
    ADD CONSTRAINT restore_floor_pkey PRIMARY KEY (id);


--
-- Name: restored_identities restored_identities_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.restored_identities
    ADD CONSTRAINT restored_identities_pkey PRIMARY KEY (user_id, sealed);


--
-- Name: reviews reviews_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (user_id);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


--
-- Name: server_record server_record_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.server_record
    ADD CONSTRAINT server_record_pkey PRIMARY KEY (id);


--
-- Name: totp totp_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.totp
    ADD CONSTRAINT totp_pkey PRIMARY KEY (user_id);


--
-- Name: unverified_addresses unverified_addresses_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.unverified_addresses
    ADD CONSTRAINT unverified_addresses_pkey PRIMARY KEY (address);


--
-- Name: user_events user_events_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.user_events
    ADD CONSTRAINT user_events_pkey PRIMARY KEY (id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: revocations_unpublished; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX revocations_unpublished ON latchkey_token.revocations USING btree (access_expires_at) WHERE (published = false);


--
-- Name: sessions_by_actor; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX sessions_by_actor ON latchkey_token.sessions USING btree (actor) WHERE (actor IS NOT NULL);


--
-- Name: sessions_by_page; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX sessions_by_page ON latchkey_token.sessions USING btree (page_hash) WHERE (page_hash IS NOT NULL);


--
-- Name: sessions_by_sid; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE UNIQUE INDEX sessions_by_sid ON latchkey_token.sessions USING btree (sid);


--
-- Name: sessions_by_user; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX sessions_by_user ON latchkey_token.sessions USING btree (user_id, is_revoked);


--
-- Name: user_events_by_due; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX user_events_by_due ON latchkey_token.user_events USING btree (due_at, sequence) WHERE (due_at IS NOT NULL);


--
-- Name: user_events_by_user; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE UNIQUE INDEX user_events_by_user ON latchkey_token.user_events USING btree (user_id, sequence);


--
-- Name: user_events_given_up; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX user_events_given_up ON latchkey_token.user_events USING btree (id) WHERE (is_given_up = true);


--
-- Name: user_events_waiting; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX user_events_waiting ON latchkey_token.user_events USING btree (user_id, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: version_floors_unpublished; Type: INDEX; Schema: latchkey_token; Owner: postgres
--

CREATE INDEX version_floors_unpublished ON latchkey_token.version_floors USING btree (access_expires_at) WHERE (published = false);


--
-- Name: account_links_by_subject; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX account_links_by_subject ON latchkey_user.account_links USING btree (subject);


--
-- Name: audit_moved_by_time; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX audit_moved_by_time ON latchkey_user.audit_moved USING btree (moved_at);


--
-- Name: decisions_by_subject; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX decisions_by_subject ON latchkey_user.decisions USING btree (subject);


--
-- Name: identities_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX identities_by_user ON latchkey_user.identities USING btree (user_id, kind, created_at);


--
-- Name: merged_users_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX merged_users_by_user ON latchkey_user.merged_users USING btree (into_user);


--
-- Name: outbox_by_due; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX outbox_by_due ON latchkey_user.outbox USING btree (lane, next_attempt_at);


--
-- Name: outbox_by_network; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX outbox_by_network ON latchkey_user.outbox USING btree (network, rank) WHERE (network <> ''::text);


--
-- Name: outbox_by_place; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX outbox_by_place ON latchkey_user.outbox USING btree (lane, rank, turn) WHERE (next_attempt_at < '9223372036854775807'::bigint);


--
-- Name: outbox_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX outbox_by_user ON latchkey_user.outbox USING btree (user_id);


--
-- Name: passkeys_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX passkeys_by_user ON latchkey_user.passkeys USING btree (user_id, created_at);


--
-- Name: pending_changes_by_number; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE UNIQUE INDEX pending_changes_by_number ON latchkey_user.pending_changes USING btree (number) WHERE (number IS NOT NULL);


--
-- Name: pending_changes_by_other; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX pending_changes_by_other ON latchkey_user.pending_changes USING btree (other_id) WHERE (other_id IS NOT NULL);


--
-- Name: pending_changes_by_time; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX pending_changes_by_time ON latchkey_user.pending_changes USING btree (moves_at) WHERE (moves_at IS NOT NULL);


--
-- Name: pending_changes_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX pending_changes_by_user ON latchkey_user.pending_changes USING btree (user_id);


--
-- Name: registrations_by_address; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX registrations_by_address ON latchkey_user.registrations USING btree (address, created_at);


--
-- Name: unverified_addresses_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX unverified_addresses_by_user ON latchkey_user.unverified_addresses USING btree (user_id);


--
-- Name: user_events_by_due; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX user_events_by_due ON latchkey_user.user_events USING btree (due_at, sequence) WHERE (due_at IS NOT NULL);


--
-- Name: user_events_by_user; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE UNIQUE INDEX user_events_by_user ON latchkey_user.user_events USING btree (user_id, sequence);


--
-- Name: user_events_given_up; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX user_events_given_up ON latchkey_user.user_events USING btree (id) WHERE (is_given_up = true);


--
-- Name: user_events_waiting; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX user_events_waiting ON latchkey_user.user_events USING btree (user_id, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: users_by_deletion; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX users_by_deletion ON latchkey_user.users USING btree (deletion_due_at) WHERE (deletion_due_at IS NOT NULL);


--
-- Name: users_by_legacy_id; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE UNIQUE INDEX users_by_legacy_id ON latchkey_user.users USING btree (legacy_id) WHERE (legacy_id IS NOT NULL);


--
-- Name: users_by_role; Type: INDEX; Schema: latchkey_user; Owner: postgres
--

CREATE INDEX users_by_role ON latchkey_user.users USING btree (role) WHERE (role <> 'user'::text);


--
-- Name: apple_tokens apple_tokens_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.apple_tokens
    ADD CONSTRAINT apple_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: identities identities_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: known_origins known_origins_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.known_origins
    ADD CONSTRAINT known_origins_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: merged_users merged_users_into_user_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.merged_users
    ADD CONSTRAINT merged_users_into_user_fkey FOREIGN KEY (into_user) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: passkeys passkeys_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: passwords passwords_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.passwords
    ADD CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: pending_changes pending_changes_other_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.pending_changes
    ADD CONSTRAINT pending_changes_other_id_fkey FOREIGN KEY (other_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: pending_changes pending_changes_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.pending_changes
    ADD CONSTRAINT pending_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: recovery_codes recovery_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: restored_identities restored_identities_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.restored_identities
    ADD CONSTRAINT restored_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: reviews reviews_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.reviews
    ADD CONSTRAINT reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: totp totp_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.totp
    ADD CONSTRAINT totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: unverified_addresses unverified_addresses_user_id_fkey; Type: FK CONSTRAINT; Schema: latchkey_user; Owner: postgres
--

ALTER TABLE ONLY latchkey_user.unverified_addresses
    ADD CONSTRAINT unverified_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES latchkey_user.users(id) ON DELETE CASCADE;


--
-- Name: SCHEMA latchkey_token; Type: ACL; Schema: -; Owner: postgres
--

GRANT USAGE ON SCHEMA latchkey_token TO token_role;


--
-- Name: SCHEMA latchkey_user; Type: ACL; Schema: -; Owner: postgres
--

GRANT USAGE ON SCHEMA latchkey_user TO user_role;


--
-- Name: TABLE audit; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE ON TABLE latchkey_token.audit TO token_role;


--
-- Name: SEQUENCE audit_id_seq; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT USAGE ON SEQUENCE latchkey_token.audit_id_seq TO token_role;


--
-- Name: TABLE audit_slots; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.audit_slots TO token_role;


--
-- Name: TABLE copied_file; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_token.copied_file TO token_role;


--
-- Name: TABLE hourly_counts; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.hourly_counts TO token_role;


--
-- Name: TABLE key_revocations; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.key_revocations TO token_role;


--
-- Name: TABLE leases; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.leases TO token_role;


--
-- Name: TABLE restore_floor; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.restore_floor TO token_role;


--
-- Name: TABLE revocations; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.revocations TO token_role;


--
-- Name: TABLE schema_migrations; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_token.schema_migrations TO token_role;


--
-- Name: TABLE server_record; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_token.server_record TO token_role;


--
-- Name: TABLE session_blocks; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.session_blocks TO token_role;


--
-- Name: TABLE sessions; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.sessions TO token_role;


--
-- Name: TABLE signing_keys; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.signing_keys TO token_role;


--
-- Name: TABLE used_grants; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.used_grants TO token_role;


--
-- Name: TABLE user_epochs; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.user_epochs TO token_role;


--
-- Name: TABLE user_events; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.user_events TO token_role;


--
-- Name: SEQUENCE user_events_id_seq; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT USAGE ON SEQUENCE latchkey_token.user_events_id_seq TO token_role;


--
-- Name: TABLE version_floors; Type: ACL; Schema: latchkey_token; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_token.version_floors TO token_role;


--
-- Name: TABLE account_links; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.account_links TO user_role;


--
-- Name: TABLE apple_tokens; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.apple_tokens TO user_role;


--
-- Name: TABLE audit; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE ON TABLE latchkey_user.audit TO user_role;


--
-- Name: SEQUENCE audit_id_seq; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT USAGE ON SEQUENCE latchkey_user.audit_id_seq TO user_role;


--
-- Name: TABLE audit_moved; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.audit_moved TO user_role;


--
-- Name: TABLE audit_slots; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.audit_slots TO user_role;


--
-- Name: TABLE clients; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.clients TO user_role;


--
-- Name: TABLE copied_file; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_user.copied_file TO user_role;


--
-- Name: TABLE decision_count; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.decision_count TO user_role;


--
-- Name: TABLE decisions; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE ON TABLE latchkey_user.decisions TO user_role;


--
-- Name: TABLE first_answers; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.first_answers TO user_role;


--
-- Name: TABLE hourly_counts; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.hourly_counts TO user_role;


--
-- Name: TABLE identities; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.identities TO user_role;


--
-- Name: TABLE invitations; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.invitations TO user_role;


--
-- Name: TABLE known_origins; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.known_origins TO user_role;


--
-- Name: TABLE leases; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.leases TO user_role;


--
-- Name: TABLE merged_users; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.merged_users TO user_role;


--
-- Name: TABLE outbox; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.outbox TO user_role;


--
-- Name: SEQUENCE outbox_id_seq; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT USAGE ON SEQUENCE latchkey_user.outbox_id_seq TO user_role;


--
-- Name: TABLE passkeys; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.passkeys TO user_role;


--
-- Name: TABLE passwords; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.passwords TO user_role;


--
-- Name: TABLE pending_changes; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.pending_changes TO user_role;


--
-- Name: TABLE recovery_codes; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.recovery_codes TO user_role;


--
-- Name: TABLE registrations; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.registrations TO user_role;


--
-- Name: TABLE removed_users; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.removed_users TO user_role;


--
-- Name: TABLE resolutions; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.resolutions TO user_role;


--
-- Name: TABLE restore_floor; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.restore_floor TO user_role;


--
-- Name: TABLE restored_identities; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.restored_identities TO user_role;


--
-- Name: TABLE reviews; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.reviews TO user_role;


--
-- Name: TABLE schema_migrations; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_user.schema_migrations TO user_role;


--
-- Name: TABLE server_record; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT ON TABLE latchkey_user.server_record TO user_role;


--
-- Name: TABLE totp; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.totp TO user_role;


--
-- Name: TABLE unverified_addresses; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.unverified_addresses TO user_role;


--
-- Name: TABLE user_events; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.user_events TO user_role;


--
-- Name: SEQUENCE user_events_id_seq; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT USAGE ON SEQUENCE latchkey_user.user_events_id_seq TO user_role;


--
-- Name: TABLE users; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.users TO user_role;


--
-- PostgreSQL database dump complete
--


