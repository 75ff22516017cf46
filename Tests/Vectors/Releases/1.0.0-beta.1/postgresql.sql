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
    device_kind text COLLATE pg_catalog."C"
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
    expires_at bigint
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
    opened_at bigint NOT NULL
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
1	1	\\x232f4ae1d84c223aff706faa8876e18979076d9bda0fee56adc02fa415d7673a	1	1796029901	key.made	\N	\N	1c3f63d6f6eb0f05
1	2	\\x19b599aefd71479599950d4915644832510e097dd84ab0b667ea0aecac8e1daa	2	1796029901	session.opened	\\x01a22bb96b3f79f7bc7e705beb090b8e	\\x6b0d3dcd76854503d63e5382	sms
1	3	\\x90debfe48b51d848f0e35428a87814a076b07fa38391959712aebdc87adc6f84	3	1796029901	session.opened	\\x01a22bb96b677f1f8a2fd68f6bda4583	\\x6b0d3dcda2e0377eb2f77ba8	email
1	4	\\x5994aa4db893aeb9d8f6262de3e7e83367cd655810afc5b0fdba50235aa3309f	4	1796029901	session.opened	\\x01a22bb96b7c73818964ee8d798322c1	\\x6b0d3dcdc7c900e179f0a9cf	sms
1	5	\\xe8c642052337d9666acb8f1c42b23857cc32dc74abfa52c59d28688f3373e6e5	5	1796029901	session.revoked	\\x01a22bb96b7c73818964ee8d798322c1	\\x6b0d3dcdc7c900e179f0a9cf	logout
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\xe8c642052337d9666acb8f1c42b23857cc32dc74abfa52c59d28688f3373e6e5	0	\\x0000000000000000000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: copied_file; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.copied_file (id, path, digest, begun_at, finished_at) FROM stdin;
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
\\x6b0d3dcdc7c900e179f0a9cf	0	1796033501	t
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.schema_migrations (name, release, needs_release) FROM stdin;
version 1, 7ddac8b5e21d74e4	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.server_record (id, identifier, number) FROM stdin;
1	7713889684295319818	1796029901
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

COPY latchkey_token.sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, late_repeats, late_generation, device, network, page_hash, mark_generation, marked_at, older_mark_generation, older_marked_at, claims, device_kind) FROM stdin;
1	\\x6b0d3dcd76854503d63e5382	\\x01a22bb96b3f79f7bc7e705beb090b8e	1	native	sms	\\xd850ccb6639b7f02f5e861937e0480390bc1624e973ecbf96a05858ed08ec45d	\\xa9b8e5f3c16cb24e591fa92db675b26ecc13ee721ff4e7dab53aea86de09697d	1	\\xed1382e3cdae04ead47d65d1a4ea7747	1796029901	1796029901	1796029901	1798621901	1803805901	1796033501	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x999e106fb5286f8bf5d9558c8e9b352f8e89b604709addae610d0d8d4882b07349e54a65c7b3b193e74e2f79b5123563c8e8f66dee82d9a199ec	\N
2	\\x6b0d3dcda2e0377eb2f77ba8	\\x01a22bb96b677f1f8a2fd68f6bda4583	1	native	email	\\x2c054953823889964d1708c7bb9b9d1a511b18b7a9a468249073210f3460f9f9	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xde79d0cb7d802c7a4e95fcb939188485	1796029901	1796029901	1796029901	1798621901	1803805901	1796033501	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x53caffdebeb34f1c74b84cf239b8d07227440e5a232073bc4cd1c0d08e5ba3eb727cb8c4c3db66f84e8312233190adc4d320da4f67034142052f3b3e803fd103e80ca4d1732e4f7625795dd457f057b915d81be8e49555f35550315ccf5c74d160ff	\N
3	\\x6b0d3dcdc7c900e179f0a9cf	\\x01a22bb96b7c73818964ee8d798322c1	1	native	sms	\\x80265276edac38eb79ba0570807c68286d9addb4e73b455ce61d4f8d9f141643	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xcd0e4a578a5ba9285cad78bf4a2a5fd1	1796029901	1796029901	1796029901	1798621901	1803805901	1796033501	t	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x5cf18817c37f2f3596db0ac44852c7859ff45abaf4df7a151b282bc1b598052b23aa5e934bd7479dee6f915bb012bf2e3058f9b8d2811e842166	\N
\.


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.signing_keys (kid, algorithm, state, state_since, created_at, token_seconds, sealed) FROM stdin;
1c3f63d6f6eb0f05	RS256	signing	1796029901	1796029901	3660	\\xd7bd3df4cb6ea07174339b59b9fc35f05bb23fb31241a0bbaca1a58d4499fb427ab4919ecce08bb853620f9ea5390c2f2c166206dc78a949fd11ae23053c2b3fe230dd7f267b79dc8e3735ae447f4b5b1ee2a78bfc8e30c0e53be3f004f760a23bdd85b099349ca65ea7f3dc4af1e2de5e34535b0706b177f0cf827f3df56f61c9712733129723de840fe91207c46cff9b91034b0f0e55d859e556fefac7f25c72a8099b79a97dd5779ff8eeecc16f1a99391fe84271a082f3e9ca3fd939f7a3e6010a5f301fec0312fb9b3c1d927abeff52b86975b00b51d80fab52805383bf0c4f13b8b68a2f2e74d7261b28015d03b4e0937bd3ce816535a6f3b524c305b21b39d99b02d09c6523ee7af9d4ebf869e1ac647540e43efba9bcfb8c39afaab0ee42899e12accd9a2405aa8b99c783b4700ddef920c2c6037583bd07b6e82d9b5e8000a1c50d233da3f3b0f13ad75579abe73dbef787fb17ffaa9f301bf42f99c7c547b99ca1651dbd02c2e83391c3c5a621790a12344f6938703825f4be9483d5a346cd9957e071f1168f379887b660c20bdc9fd5036bdb23dd094d2403c85b0d4cb640cae087821b5e2093d84e592c28dd357227cfa11d75fc3d74b73debdcf44b1bd51ecf9aa7047e1490c5d4b72230b595b304852f415ebe5b65699b4d6c495953c60bd113d8259bf90288bd2aa5a48ec08d1c2d69c8369b6b1ce9135700cc5e8cad45938c9ff966382ce4b1f5c3f43f6055880badbdf8c6e3ad1d270305d69c551fd01231b8916f638d4a973a985850b5bfda8084a803575dd331be5c933f063cd6b9d28d49be2dfb5257d1adee0ba4667e054fff4a83bd6d6eb66792e5d37ea6ba234aeea208073fda717e137e779ec8bb90ff3f96a3315779bed8fec4a91fad4220004bdf1ae37f8459c95c4e2922dfbf29f8cb3984f5f5dbe218074f734c43209fdf743af9b642038f0ad48f38e719b365d3fcfa3c0bdca446a379d47e70fbe6b68e8c26365c1e24bc23fff939067437049617d8cd9b906258a25161b164d1b9cea3522cbab716a0c485222bb8af8a2a8de99fc621e47735463a1bce025f4756a46316b93e428b7fb2ca2638d5ab7a864482cc38fe9736cf189de48bae90c49dfb1a9b65a4b0dca94156092261706c81b660197ebfac885d0b62bff79bea361578eb2594eed2129dea40e925dc9f145e117a9a76df59e69a7845e9f205e263778c8ad87c0f61db439830afb092cfce2fccd626588584c5fbf1d0ed670679a7870d565d6a73dc2dc9d906638f48b610cafc0bdc43393b6b5baf4f45b8f1385bdfb85e1402e48df0116d97b3e060eed148ed05dd7057b27fcf964e29efff197aeba9a9aec290fc1e32436bc1abc77374e4e4403f61a386bf9ff1db46a2d7bac8a7decf57f509d2f05934c92e0c49f6ccf4fa4383c754eeca573b780fd9f0febf93a93c4c761f0d7333b5a13689883895b665030aa59a66d1a7760667a1f0dbf0fec5b97e63e6428ed0a7f1bb5215dd3143e2d78dcda2b934457d37db37449774d60ccdc93e2bf61276335ae31d3ab5668261699aeef93db44b52f11dc217cee7274e07996fa05cc5407ceab7face7b0f6bb2dc25a8597e8f4a5314f073e7bdfed366913e1edf2535c1e0f1e5431197971a53e240fe18abe7384a9612656e1f76c7a7e4b53985942022557eb4d0cc43f8f955d866801f0c0a3af3762ff9e70c66dcde8ff063496e30aa4d8215a27193159e70aec698664fbbe0ffd8
\.


--
-- Data for Name: used_grants; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.used_grants (id, session, expires_at) FROM stdin;
6b0d3dcdeVmMgZjEz8Kkp51VaFiYQTmpgl1ZwohY	1	1796033561
6b0d3dcdSt-fNc9p_qc1TYsYvIeYALZ4CZLgHJRe	2	1796033561
6b0d3dcdpX9GoHLNEX7N8mFeiuiozRzz2gryb-HN	3	1796033561
\.


--
-- Data for Name: user_epochs; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.user_epochs (user_id, epoch, version, expires_at) FROM stdin;
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
1	1	\\x5586bacea82a530d69641f13badf22c2e08677a6c0d460e3dc0a9fec829ee6cb	1	1796029901	otp.sent	\\x048994e57840d6729872fc50c2160544	\N	\N	\N	stranger
1	2	\\xa7e2b2c5a6f995dd82047a56f78054235c16dac2c995fb2f8fcc68fab166f9e5	2	1796029901	user.created	\\x2613967ccd9dc3eda8de0aa6864071c4	sms	\N	67393e0dcacc49b9c87ad0b5aaa98260	\N
1	3	\\xa5b27ab39ce3cce4a9eebcd3676468ce125a1c0a010daac6f8bba998fa8997ab	3	1796029901	user.created	\\xa5f4af3acfc6b7d2482d38539b44151c	email	\N	4b9535687f67a2cb8b26a7f99cb04633	\N
1	4	\\x7b3cac31694155db8598478ce450feac7ac652386536e1128a12604a0ca3f758	4	1796029901	user.created	\\x29cc03f8cb3c39589f08d4f15e6d533a	sms	\N	bd29bcdfe0861203cca4fc0aab3f2472	\N
2	1	\\xf01bb3ab7428292039ec18af12a5ad0e4607b5065a2c92055b0f1dc8267d6906	5	1796029901	otp.approved	\\x048994e57840d6729872fc50c2160544	\N	\N	\N	stranger
2	2	\\x8fdbc1b9c7d65ce3266d88ca575c256b80af98f7fa6dbfb26a081ff8023b5f34	6	1796029901	otp.sent	\\x62a241b0107eaff1db1bbd7f0706f3cf	\N	\N	\N	stranger
2	3	\\xfbde0ebb0026c79906077fce6a37a3d5c982ec965224d5b2eb7ddcd2e2a3f065	7	1796029901	otp.approved	\\x62a241b0107eaff1db1bbd7f0706f3cf	\N	\N	\N	stranger
2	4	\\xa3b35d85191c9d203be4dbe8c9f0bf670decc87cc49bfb8373d5da23f7bbba1d	8	1796029901	otp.sent	\\xb34dfe5e29b7cceb68f2dcbae6ee0f87	\N	\N	\N	stranger
2	5	\\xce2f09c93e9299e8dcbd6c50706ac1ff1d767415c831780d386be1263dd629d6	9	1796029901	otp.approved	\\xb34dfe5e29b7cceb68f2dcbae6ee0f87	\N	\N	\N	stranger
\.


--
-- Data for Name: audit_moved; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_moved (stream_id, moved_at) FROM stdin;
1796029901612-0	1796029901
1796029901627-0	1796029902
1796029901659-0	1796029902
1796029901669-0	1796029902
1796029901682-0	1796029902
1796029901690-0	1796029902
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	4	\\x7b3cac31694155db8598478ce450feac7ac652386536e1128a12604a0ca3f758	0	\\x0000000000000000000000000000000000000000000000000000000000000000
2	5	\\xce2f09c93e9299e8dcbd6c50706ac1ff1d767415c831780d386be1263dd629d6	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
-- Data for Name: identities; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.identities (kind, value, user_id, created_at, last_used_at, tokens_from) FROM stdin;
phone	+15556316654	\\x01a22bb96b3f79f7bc7e705beb090b8e	1796029901	1796029901	\N
email	ann.acc7fe71-a08d-42af-a01a-445a6d4627ee@example.com	\\x01a22bb96b677f1f8a2fd68f6bda4583	1796029901	1796029901	\N
phone	+15556316655	\\x01a22bb96b7c73818964ee8d798322c1	1796029901	1796029901	\N
\.


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.invitations (kind, value, id, role, expires_at) FROM stdin;
\.


--
-- Data for Name: known_origins; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.known_origins (user_id, kind, tag, seen_at) FROM stdin;
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.leases (name, holder, until) FROM stdin;
audit_mover	bb4d1839c8e3136a	1796029912
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
6b0d3dcd7c6092ccac90a743e3549e0b65797af0	\\x01a22bb96b3f79f7bc7e705beb090b8e	t	f	1796033561	\N	\N
6b0d3dcd46aab88f682ec7cf82d3e1191b3a84c0	\\x01a22bb96b677f1f8a2fd68f6bda4583	t	f	1796033561	\N	\N
6b0d3dcd0c850cda319909b5a120caedeb55032b	\\x01a22bb96b7c73818964ee8d798322c1	t	f	1796033561	\N	\N
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

COPY latchkey_user.reviews (user_id, since, opened_at) FROM stdin;
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.schema_migrations (name, release, needs_release) FROM stdin;
version 1, a59684fc4c0c9e2b	1.0.0-beta.1	
user events	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.server_record (id, identifier, number) FROM stdin;
1	7713889684295319818	1796029901
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

COPY latchkey_user.users (id, pseudonym, name, attributes, role, is_active, epoch, version, created_at, updated_at, deletion_requested_at, deletion_due_at, is_for_review, legacy_id) FROM stdin;
\\x01a22bb96b3f79f7bc7e705beb090b8e	\\x2613967ccd9dc3eda8de0aa6864071c4	Ann	{}	user	t	1	1	1796029901	1796029901	\N	\N	f	\N
\\x01a22bb96b677f1f8a2fd68f6bda4583	\\xa5f4af3acfc6b7d2482d38539b44151c	\N	{}	user	t	1	1	1796029901	1796029901	\N	\N	f	\N
\\x01a22bb96b7c73818964ee8d798322c1	\\x29cc03f8cb3c39589f08d4f15e6d533a	\N	{}	user	t	1	1	1796029901	1796029901	\N	\N	f	\N
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


