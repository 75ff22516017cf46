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
1	1	\\x02b00905acb9f56a4254a6601de81dd2d81f0aa6287b691a9747b7214ba17e9f	1	1796082121	key.made	\N	\N	8a646514e89cf2c5
1	2	\\xbd9953959727ad9caa2da5205143d4ede99d6ff7eaf32a7becc0ca9d30d2d6e5	2	1796082121	session.opened	\\x01a22ed63c64782a92fbedf7271f5ee0	\\x6b0e09c9d588052dfadd8f6a	sms
1	3	\\xc8bc878e64e27b9dd0dd02a241e2054922deaa0dc76f366b5f14e11ddc07411a	3	1796082121	session.opened	\\x01a22ed63c847d0abcdfbe970a4664a1	\\x6b0e09c9a63ec21d137ab1c8	email
1	4	\\x5d7553c2f73a72d553dd190c444fd292a788923047f23277749c462e0a71173e	4	1796082121	session.opened	\\x01a22ed63c96704e9f2f5da0f85869d8	\\x6b0e09c949ec935a7ca70606	sms
1	5	\\x2a111c81d5dc001bce2b1d17a84bf2c15ff8ee29f1a0b941a0fb77ffabeda165	5	1796082121	session.revoked	\\x01a22ed63c96704e9f2f5da0f85869d8	\\x6b0e09c949ec935a7ca70606	logout
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\x2a111c81d5dc001bce2b1d17a84bf2c15ff8ee29f1a0b941a0fb77ffabeda165	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
1796079600	refreshes/rotated	1
1796079600	sign_ins/email	1
1796079600	sign_ins/sms	2
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
\\x6b0e09c949ec935a7ca70606	0	1796085721	t
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
1	7714113969107726057	1796082121
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
1	\\x6b0e09c9d588052dfadd8f6a	\\x01a22ed63c64782a92fbedf7271f5ee0	1	native	sms	\\x2694aa00aaf3eba5377c9f0bbdae5ce6bc2bd288cf465b8fbc16b6df2bc57f64	\\x31badae407a1babacc19652636e95a329d0265f6bd65eb2f8ca029c7a1d342ea	1	\\x1f2ea1be9d3308279658d6c152f9c223	1796082121	1796082121	1796082121	1798674121	1803858121	1796085721	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x6b8a5c534a7cd4de4ab62662ab138696e5d020ea6d067f1efbe7a1e2d58a888241cca4c25e9b04ddee897d609bbecc5df5feec15de3cbdce0dfa	\N	\N	\N
2	\\x6b0e09c9a63ec21d137ab1c8	\\x01a22ed63c847d0abcdfbe970a4664a1	1	native	email	\\xa4db70d9aa9f6e2297c9d358266ff8c9fc316a973dd633d9f57e2611cddec8d1	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xcf1dcc0574dd1b576f817055164b262c	1796082121	1796082121	1796082121	1798674121	1803858121	1796085721	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x2af9fad7fe13631177c4d4011a31723c9b84a60d2033237f6c682ab52319b4b4636b9e7e586df4be80b72d2401d714642743c0cfed82c44d7c3b92608b617332da366d584cf00d1a49a006f568af22a4e3f469248e231e909e1bdb26fd1c703ee917	\N	\N	\N
3	\\x6b0e09c949ec935a7ca70606	\\x01a22ed63c96704e9f2f5da0f85869d8	1	native	sms	\\x6153f27f5fe71ee6efa00140ceffa1649224fe611cae85d25606509dcb76192b	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xab2adb974ab81080344a9f5d6d4211a2	1796082121	1796082121	1796082121	1798674121	1803858121	1796085721	t	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x7cd6d6d8dcbf1b72803d580bbbf64119394fe33668b8ba107ee7e31533fbd9aa9a3bb99912e4ba55a4c0d8ee0872493c393be3ff2747f9ad9cdc	\N	\N	\N
\.


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.signing_keys (kid, algorithm, state, state_since, created_at, token_seconds, sealed) FROM stdin;
8a646514e89cf2c5	RS256	signing	1796082121	1796082121	3660	\\x2d26edf2b56a354930dff3fc8ad9a3e6e5926e7f237f057c0d0b19012f161d5b3f25b2c494a74d2679aade66380d733de39ba0dea02cc8023a8a88d810a505bad33f02672b258ab2a04119bed91b0526bd4a19eea1b2a5042bd35153de17a6e1d604841483e73ef659bbc685ebbd2fdedd83b861c96c93be0df4e5a875cb553f8cbdcb509a42f9b72f9898f01bc19dba1802890dfea3331aacd8a9522d70986eee0ca66be4141fc74314c9cf99e839a275d909596f61de12365008dbdc605821ac9c18da06310cec6513e4975b72fbfb295efca5d97a83a94296be1fb0772b01455aeb86a672df1fee5ea39f84a0aa5db661027ca85b138db00fd73c8fd5792599cc4ee704cd1bd5cdb53908d92cad240aa756b7ddde1422dbf46e163dbc7c64b898f7e6c2527e55dc96e11f2891ef53eb6dc57c7a71201b975549761592afabe330cca1b6a3a0b38e9417fbb99c209d28269927b9f414ee312ef8e2b797083045e46be263aaed51e1aa7222bff09474e09781a88de6c3ad1419c9f9b85f20f8ac03f73fdacd058d1410ad2d7a9f5412e451e07a13bb9f0625428b4c8f62d44814a68fee1bd2b0741678c1b36ee93d09db95ed9a9b34dfb184e83c2aa0474b0496f90e6acf5081b14eb36b6a2426d53d89a7e31f639bdfeaa7127434ffb33cdc9083fbc5f2e3dd995296bc017efbc21ec1794c50ef1e203a915a974bf5557155209404acff3d0c46c3abbbb53ef0ec33dc159343e017b9efa4fe1619ca7e0980513c03d708b9b98c0d3f9380258f057108d6d896c4a223fd54e8829d13fdd9e928f853bde06b461f9cfc7a9e6507de3315169d14c68a0fae3ca8024a6daedbda73dde585d28d62cbbd0ecf338f87d8943707a8239b1e283ca7fce3cc6a8875375b3656ed3dc0557efe66f9d19c0d465ed542ff9d5ce3e2ae3ba38a3d392f8948dbecbf225b3d4e14848109ee4aa317457ccb257ad61776bf53f7fd88c555ac0034dc905ecd1033a767c6938bcdec9d76289c4881f610535bea99f41fded6ad994949a6880b14c1b92ba4e2e470474969c8c0484936e70723aca5f67e472e5da1e6ec4f8429d41758e4e0a9a6164b9d726adc46c35c71bbe361835187ce2efff9573bdd1226bcc88011ba7f3894693c72509fe2c6dfad6cc5fcd110f2f250ea6dfb939a222cecba95e073403ee714a03649fd11d08ec0e2c81551bafc0dab4b90189e35cb8070907391edfcc8e1b04f6f76d54191b774aa94347f94978b7dd5a449d822086b39f02140042d52809e60d0807994f38dddde66a81d1af19bed8414d8d995c1b8c385a466c25a8e6255e172a31c3c3fb814cf70837356b03f27b471ce0bd1e19df48978f401137c17ce95b3cb7493218370118294e1eea90a5cf21d4f6e7ee45cda4d3ee1c7b0ced10423fb7393d418d7efbd269a1c290bb6dee1396b3042d3b8ae196df6b802d37077f63c976b2fa2ecf780a39c79ac8d1b619b611b9889825fc805a9a6a3381183693f03c68ad43e6658148bc52726ea4fe942b757123eea0d7b548fd2e6169a7c0d39560a9f6adf0d6c26e019bcda91db513a0cef655f1937621ae23d786a92ac2cd9d8540634c3e70526e63e9abe6677bc051e8f0bd8cedb169495881f18914cc1665a3be42479868ef9188b4c63d68859aee26cc5f463b9f8e37b1947e66348402185ebdd40b45f2741811d25eb7eeb84c5f055fccc70e24da519a0bfec08fdf096c4c616d9840a7948fe2b1e03c3f6
\.


--
-- Data for Name: used_grants; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.used_grants (id, session, expires_at) FROM stdin;
6b0e09c9WFewcMpP-0kyNuXTveusEPJLebopJCVQ	1	1796085781
6b0e09c9lixYFrwhX7zEmcJwUb7tVcsa_iOakRZv	2	1796085781
6b0e09c98MUfQVSb3RTuwW83Mo3eXhTfV42VW9Ft	3	1796085781
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
1	1	\\x90f9dfe34a9dc3b7b65e447e049e2b38b685993096389c3f876d2cc970e8fecc	1	1796082121	user.created	\\x400c5d3685c330c23306972c032e2ccd	sms	\N	a9adf9014dcbc6121ca6291c3bb41cb7	\N
1	2	\\xa4a35371a18c0017bae7473da91121d4224dc7b6701e18abf47faf2d5c99ae41	2	1796082121	user.created	\\x817e94b25298996337e38811e5714d3e	email	\N	3a0c80c3eb2052b758f021f35e5d3f3c	\N
1	3	\\xdbfd648f145936c514655d0e786be92f7653ffef3c28e39dcc4fbc2e3af6aae6	3	1796082121	user.created	\\x5cb63402084e6d98fb4dd23268a92a74	sms	\N	2abc1616c3ff2f789dc63d39a6c89972	\N
1	4	\\xa720e3d2c82087265fdee7de4661119de978fc5577bed86a128e91c9db5c3dae	4	1796082121	otp.sent	\\x4381b248ccd0d93a152672a479973e88	\N	\N	\N	stranger
1	5	\\xfe16a2bc5eb8a2a186588b73fbec336a387dd623c18198a4e05ed02d999569e2	5	1796082121	otp.approved	\\x4381b248ccd0d93a152672a479973e88	\N	\N	\N	stranger
1	6	\\x0656ee77d1da7668e4508ee11ef80ce8ef3070ee197562e6cbda1b7b0976843b	6	1796082121	otp.sent	\\xcc8ac0af8665caae57d0ff3348762e00	\N	\N	\N	stranger
1	7	\\x84775799bf57af9af8e6adcc12d588f07541e61a815c8a3aaa1a0b3b871694b5	7	1796082121	otp.approved	\\xcc8ac0af8665caae57d0ff3348762e00	\N	\N	\N	stranger
1	8	\\x638f40e7e6747eb7cbeb020a78371f4eb7db41b0ebdbec71604f9516fcb7fc2c	8	1796082121	otp.sent	\\xf8d50e3e5c2aed93377d51972835630c	\N	\N	\N	stranger
1	9	\\x6b07064d061e40e2a8e67702c13037e19fbbb7f81a32b97ffdb04abce9de0ce6	9	1796082121	otp.approved	\\xf8d50e3e5c2aed93377d51972835630c	\N	\N	\N	stranger
\.


--
-- Data for Name: audit_moved; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_moved (stream_id, moved_at) FROM stdin;
1796082121812-0	1796082121
1796082121825-0	1796082121
1796082121852-0	1796082121
1796082121859-0	1796082121
1796082121870-0	1796082121
1796082121876-0	1796082121
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	9	\\x6b07064d061e40e2a8e67702c13037e19fbbb7f81a32b97ffdb04abce9de0ce6	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
1796079600	codes_sent/+1/sms	2
1796079600	codes_sent/none/email	1
1796079600	codes_used/+1/sms	2
1796079600	codes_used/none/email	1
1796079600	new_users/email	1
1796079600	new_users/sms	2
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.identities (kind, value, user_id, created_at, last_used_at, tokens_from) FROM stdin;
phone	+15552847234	\\x01a22ed63c64782a92fbedf7271f5ee0	1796082121	1796082121	\N
email	ann.2cea92a3-1de3-45e6-b0a8-880b58d3414d@example.com	\\x01a22ed63c847d0abcdfbe970a4664a1	1796082121	1796082121	\N
phone	+15552847235	\\x01a22ed63c96704e9f2f5da0f85869d8	1796082121	1796082121	\N
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
audit_mover	694a1fbd274ee639	1796082132
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
6b0e09c9e314d9c28007394f51ea0032f14c94f0	\\x01a22ed63c64782a92fbedf7271f5ee0	t	f	1796085781	\N	\N
6b0e09c988307526c1e2b6e48c3ff68c53fdc33e	\\x01a22ed63c847d0abcdfbe970a4664a1	t	f	1796085781	\N	\N
6b0e09c93024b52a5ab463febbc0cfc2a91f622f	\\x01a22ed63c96704e9f2f5da0f85869d8	t	f	1796085781	\N	\N
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
version 1, bc6999a25edb1908	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.server_record (id, identifier, number) FROM stdin;
1	7714113969107726057	1796082121
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
\\x01a22ed63c64782a92fbedf7271f5ee0	\\x400c5d3685c330c23306972c032e2ccd	Ann	{}	user	t	1	1	1796082121	1796082121	\N	\N	f	\N	\N	\N
\\x01a22ed63c847d0abcdfbe970a4664a1	\\x817e94b25298996337e38811e5714d3e	\N	{}	user	t	1	1	1796082121	1796082121	\N	\N	f	\N	\N	\N
\\x01a22ed63c96704e9f2f5da0f85869d8	\\x5cb63402084e6d98fb4dd23268a92a74	\N	{}	user	t	1	1	1796082121	1796082121	\N	\N	f	\N	\N	\N
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


