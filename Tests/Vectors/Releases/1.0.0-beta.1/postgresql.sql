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
    actor bytea
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
1	1	\\x9a1b5e50c21c650829f9e53d604e04289152e5b7b11c9b158c367dbaa9253930	1	1796068764	key.made	\N	\N	ddc61365acbec1db
1	2	\\x1805256a29bf48d3aa9aa745b332d285de8ec56b55c79110bafb5823a5ba55c6	2	1796068764	session.opened	\\x01a22e0a6bd7713e95b6800891396e94	\\x6b0dd59c68266a18bb5d4bf1	sms
1	3	\\x5bfaf81e1050122789a38b48d98c67a574ff189936b61afaae57c8abf618702e	3	1796068764	session.opened	\\x01a22e0a6c077826b17637c86cb4df1b	\\x6b0dd59ccfc64592c3f09a0d	email
1	4	\\x6aa9ee2ee255b8f48f87410c454e9d2e4b22177c1ea1d4f2dde61fc740213405	4	1796068764	session.opened	\\x01a22e0a6c227e5c93568015ab968e6c	\\x6b0dd59c814741f3be0c1b63	sms
1	5	\\x46d529d52349ceb79b4050105f48ab5af60ef291fca4be7b70e840f87b85219c	5	1796068764	session.revoked	\\x01a22e0a6c227e5c93568015ab968e6c	\\x6b0dd59c814741f3be0c1b63	logout
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\x46d529d52349ceb79b4050105f48ab5af60ef291fca4be7b70e840f87b85219c	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
1796065200	refreshes/rotated	1
1796065200	sign_ins/email	1
1796065200	sign_ins/sms	2
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
\\x6b0dd59c814741f3be0c1b63	0	1796072364	t
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.schema_migrations (name, release, needs_release) FROM stdin;
version 1, 13dbd47e845543a2	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.server_record (id, identifier, number) FROM stdin;
1	7714056597023604364	1796068763
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

COPY latchkey_token.sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, late_repeats, late_generation, device, network, page_hash, mark_generation, marked_at, older_mark_generation, older_marked_at, claims, device_kind, actor) FROM stdin;
1	\\x6b0dd59c68266a18bb5d4bf1	\\x01a22e0a6bd7713e95b6800891396e94	1	native	sms	\\x121c1520138484b374c919b0ab42cbc17ddaa4293b4fe826df8455da8bfdf6ba	\\x3658655a2767594910c6359ff932dfdd8ba622725e0b3f0738dcf88cff1cffcf	1	\\xcfb50f92282d62eceb723e6fd37240a5	1796068764	1796068764	1796068764	1798660764	1803844764	1796072364	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\xd5c5bac92a4f49c63053770683f278ca2cd629e9d657d815b29351980f32436339437afe230c8936c5210792e3a1262cf3f82d7ab115d99cbd62	\N	\N
2	\\x6b0dd59ccfc64592c3f09a0d	\\x01a22e0a6c077826b17637c86cb4df1b	1	native	email	\\xb93cc39a00e464119f8ea3309be3d5bbc371c0caed44668d6ad2df0bf5905d6a	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xf8848e011cec875c9fcf59728e47cdbd	1796068764	1796068764	1796068764	1798660764	1803844764	1796072364	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x6c87bb24fc0b04d373c0355d1e04cd788a9679796384156b83f1584a6d31ad28356612e4586800a820c1f7a8127d05eb7c4723a69565cff7ebbc0a7e55acb2dde176aca0d98fcd042b25d8b6ca656079a96e5b83c93572d99efdcf8cbf62213356cc	\N	\N
3	\\x6b0dd59c814741f3be0c1b63	\\x01a22e0a6c227e5c93568015ab968e6c	1	native	sms	\\xc0e5ba59884e22bbdd8c80b9ed26593892d4e8457c8d90beefe9fe5f417e4430	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\x1e9de3cb8de0a0f9122e7e6579cc5cb4	1796068764	1796068764	1796068764	1798660764	1803844764	1796072364	t	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\xa3014c244fc78b17f1dd07bab33535c0eec47fae1834411fcd3853895ee5289c9b288f2d2fd8463edc38accb992e23c498cc584000ab5065b46f	\N	\N
\.


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.signing_keys (kid, algorithm, state, state_since, created_at, token_seconds, sealed) FROM stdin;
ddc61365acbec1db	RS256	signing	1796068764	1796068764	3660	\\xaad5f21506738b39e77376a03532fcb40fd992ca7405a0ff92684575f17fb155300a9d9152859052b8fd30ecdca8d3c085adba77974ceb71a1ca858e4a912876b05b0d03eb06a5a158d8e92474a6394a62aa4daaa6bd631b71cf0f1e2318601835556375003fba2c0e0aedee0475f2b7205c6d038f77390e4a57372efaa1d8af00243a28c8c399321599d7dd6469a466cb6f77b857913af881e6ac17aa5b10622dc37d73973a70d23be3a4334e16988e049204dd134fd03b2abb8c6ff69ba73aeb6e94d2ae31f0346b59359343722f17d40b0828bf84c18995036f18d2ea3939dbdbb3841add24a65f0ada864806ed4ede99c76ecc7e870daca7496b8b04c79f8f6b87147bcf3d4ba45db7a82fd639933e359840e492537b40ef4f600548f40cb36fbc78a1a0f5f3ce98b5dbff73275b1e559b4417bc4730bb8572b0298307d2127ec11aa637fb81b83783a1c6ddd4e92a625478e92c3c2548e6ff849e2b7a58a81d601f967646a818f130edcb6518f2d3d1839ab283fadf8f61a8cef5bad77c2468594fd6d396bb2f3207602171f1bbabf6e46bf807b35cc3554a504388e4a49c429307c2ed8b180dd8ee59110000c34012b73ff65426a434e004a393382ccf3cb5e017d8242a8e9e56db5625840ce770ef603baea66703f5c9e1de0656a84494d9c01fc1736d771596f8f423724f1d6fd00473737395d0e6179d3fc2c303b44106392e396e615a8ae2ad445a63fe8a188f3a2159647149030e6f65a722de32833d868d44c7307b90b6da20262d5cb653a84a7f3a085184c242408d9a981517793f3eb2946a73c5adb5b461b3ba834b2f696636614fb4dbdb1ce5519a8aea1b29c03cb31bd0ec294c64f8bca80edbcf3912dc90bf8cdf0ea1655d0d04791792fe2fcc4e43b316c8b7422413b67b1756d537ca47c91a272c98becda67e6d33b9bf6299e9ff79adaf8d13661fd83d1ac4a1ec1b78fb76e8be6e5076d06c45bc2f8bdd5d7af3bde0d5582cfeab94a9c847ffaa23cc4f50d29e7104e4af2298e0138afe7fe8d5381d33ab5a44b45deb8d51759681ebd205401c31a008af94c1d19bf034686bfaba70def7bc1a22faabc1c2f3454c028af7470fdc20cb5fc47a32efb3b2357e4032fdb5686c804d80f5480bc38552a036f4e9a3e91dfd8c5aefcd9b13b0010458687c28c6c9f4ba2a71ef6068d2801d276cf462b91c59ce973236eca7419182726e29c4d745a9f192354a863585c113055c778f410a231c594e07eb45aaa1b5d03cf2c86d71f3be24d11b203a9825a72f708000a3d71c1283a4ed7cef579044473d094492c587227396315f6cf90284c6fc13ac68e99697b082d4cfbda51bcec6f12084c9056e84d3fa26019b0ef99aa59d0a482e87f72bf110d76cffc7e53f1eb468ed5139d74e2e3596409fa14fe75a9946c99eea3630190c04636fcc46156f601d50eeb22f4d8c2176bb68b88210fa18bf34ed514a2a29af0ee0ebf37f0584c63311c0ccc7d7f843a53871b8ea361332a1b0efcbe4994d2e7bdf1614c97fb4b846b9a6304a722277d6cc3846dfaa73756ba95b0b752c400cd26eb6685278fc749e143e453c615c36515dbe55912a909af52369b174bcdcef3fb26fbe123c4533d9de4a0bfb0f7d8a2d6dc314854b7820907e7c622984a1abdf416dd37fc425350c8eddcda912037e39d222ea88d80660541eecf9cd62ec11b2ee5c2103fe44ca588bbc93c2fe97f7c09241bbf4ed7f6129d4c174de51
\.


--
-- Data for Name: used_grants; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.used_grants (id, session, expires_at) FROM stdin;
6b0dd59cpcu1YDpWAX1WXK_4M46MpNDwm3Dye18i	1	1796072424
6b0dd59c-vC-h-3Y-JwrH8wqM197x1jvtkNAQ9P-	2	1796072424
6b0dd59cds6LY7mf-lLKeCHrLdLSE3pW54d0TT_T	3	1796072424
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
1	1	\\xe916dfe02ba4e4fda993f39591475a222c0b54001f82cae35615db4611af9472	1	1796068764	user.created	\\xc3482236957126cf5c1db748bd00e5ec	sms	\N	cc0437ea9aff504b5f3334be498fe29b	\N
1	2	\\xc1a75ada2bbfb3ea1d9267a3692c5fcfd64441cc6eb4123a66ceb204a7fabd3b	2	1796068764	user.created	\\x026f60725326b13c66d31f5053b3eef9	email	\N	e1f29a2e01ac963e39ba7a58f432f563	\N
1	3	\\xf0c524418ace4c8bf7a48561fabb83365526fcf193bf7f2a9fac5c2851a01017	3	1796068764	user.created	\\xe54ae9d38d0a4bb860371c590e27deb9	sms	\N	a1c59caaf971780e5f3ba715fd2266d9	\N
2	1	\\x745c7aaffcfe150742b7b81a6d2e2238e31a242b8a50d5fe8f9a27c4d73f1e8b	4	1796068764	otp.sent	\\xeb4cab57fc91dba8fbc185602f857cd9	\N	\N	\N	stranger
2	2	\\x8dc196c96809b16954474d2e985dd37db5ae00d00d40b29d6a8c3c81605690d5	5	1796068764	otp.approved	\\xeb4cab57fc91dba8fbc185602f857cd9	\N	\N	\N	stranger
2	3	\\x49f7911c3aed683fc374f4cc6c1b077cd49d842d9d60c386f733a23eb133a880	6	1796068764	otp.sent	\\x769a0729a524b5658626a11af50e0d29	\N	\N	\N	stranger
2	4	\\x9b5ecd847a299ea92c63feee5282201cbd92814cbf18586da6e2eddd9d2fcbca	7	1796068764	otp.approved	\\x769a0729a524b5658626a11af50e0d29	\N	\N	\N	stranger
2	5	\\xaffdb45dff310a243ee9374039c1f6f96464c044f00821a4b4956bf6b1e92181	8	1796068764	otp.sent	\\x14c6154dc6ad5e26dc3a2f9aab7d4e6b	\N	\N	\N	stranger
2	6	\\x11be23d24c559f1149603b86d2251cd4b1500e7c0fc56fcd1001d3a45e5321d3	9	1796068764	otp.approved	\\x14c6154dc6ad5e26dc3a2f9aab7d4e6b	\N	\N	\N	stranger
\.


--
-- Data for Name: audit_moved; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_moved (stream_id, moved_at) FROM stdin;
1796068764611-0	1796068765
1796068764626-0	1796068765
1796068764668-0	1796068765
1796068764677-0	1796068765
1796068764697-0	1796068765
1796068764704-0	1796068765
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	3	\\xf0c524418ace4c8bf7a48561fabb83365526fcf193bf7f2a9fac5c2851a01017	0	\\x0000000000000000000000000000000000000000000000000000000000000000
2	6	\\x11be23d24c559f1149603b86d2251cd4b1500e7c0fc56fcd1001d3a45e5321d3	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
1796065200	codes_sent/+1/sms	2
1796065200	codes_sent/none/email	1
1796065200	codes_used/+1/sms	2
1796065200	codes_used/none/email	1
1796065200	new_users/email	1
1796065200	new_users/sms	2
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.identities (kind, value, user_id, created_at, last_used_at, tokens_from) FROM stdin;
phone	+15553377037	\\x01a22e0a6bd7713e95b6800891396e94	1796068764	1796068764	\N
email	ann.3ba8103e-aaaa-41c7-8898-36a8c6827808@example.com	\\x01a22e0a6c077826b17637c86cb4df1b	1796068764	1796068764	\N
phone	+15553377038	\\x01a22e0a6c227e5c93568015ab968e6c	1796068764	1796068764	\N
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
audit_mover	0f0629217c4b468b	1796068775
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
6b0dd59cb8f3effb5ee66509be54fab5d377cb79	\\x01a22e0a6bd7713e95b6800891396e94	t	f	1796072424	\N	\N
6b0dd59cc649ac3b277a38e117b2ec7068eca9af	\\x01a22e0a6c077826b17637c86cb4df1b	t	f	1796072424	\N	\N
6b0dd59c1cf6223d31e56cc97efc3191105d7159	\\x01a22e0a6c227e5c93568015ab968e6c	t	f	1796072424	\N	\N
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
version 1, 0697679c1c8f56f7	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.server_record (id, identifier, number) FROM stdin;
1	7714056597023604364	1796068764
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
\\x01a22e0a6bd7713e95b6800891396e94	\\xc3482236957126cf5c1db748bd00e5ec	Ann	{}	user	t	1	1	1796068764	1796068764	\N	\N	f	\N	\N	\N
\\x01a22e0a6c077826b17637c86cb4df1b	\\x026f60725326b13c66d31f5053b3eef9	\N	{}	user	t	1	1	1796068764	1796068764	\N	\N	f	\N	\N	\N
\\x01a22e0a6c227e5c93568015ab968e6c	\\xe54ae9d38d0a4bb860371c590e27deb9	\N	{}	user	t	1	1	1796068764	1796068764	\N	\N	f	\N	\N	\N
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
-- Name: TABLE passwords; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.passwords TO user_role;


--
-- Name: TABLE pending_changes; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.pending_changes TO user_role;


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


