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
    claims bytea NOT NULL
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
1	1	\\x93e7a6651e7ecd074a00460dc97466859f0c2be18eb79ce750e9c24ddccd2fea	1	1796000466	key.made	\N	\N	bb2d716511a5528b
1	2	\\xf095ff860b625c5709b167a76446068bc7bdc8031630ae9ed249929ba5d8f14a	2	1796000469	session.opened	\\x01a229f8512d7cdd95b1b9632680fb80	\\x6b0ccad55fe6049b394a2c81	sms
1	3	\\xe3d09ebed661c94d0a5cf82c85509599ff0357dc109bae80b0ba1dcb23e5211a	3	1796000469	session.opened	\\x01a229f8519a7607a5854cfa1e1825fc	\\x6b0ccad5f5e92a454597b3bd	email
1	4	\\x18d0aaee2dcee42efadd1b1e2b1671770d8550d26ea77525e624c3a65d285f2e	4	1796000469	session.opened	\\x01a229f851c87901a8e003c34ab381a8	\\x6b0ccad5bed114c7a008722d	sms
1	5	\\x30ee9a1958780253a6c2e766bea2dd8bf3ba118085e9c9f357fdf30cb7946b0d	5	1796000469	session.revoked	\\x01a229f851c87901a8e003c34ab381a8	\\x6b0ccad5bed114c7a008722d	logout
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	5	\\x30ee9a1958780253a6c2e766bea2dd8bf3ba118085e9c9f357fdf30cb7946b0d	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
\\x6b0ccad5bed114c7a008722d	0	1796004069	t
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.schema_migrations (name, release, needs_release) FROM stdin;
version 1, facaf4ea9f6cb0b8	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.server_record (id, identifier, number) FROM stdin;
1	7713763248281347434	1796000465
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

COPY latchkey_token.sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, late_repeats, late_generation, device, network, page_hash, mark_generation, marked_at, older_mark_generation, older_marked_at, claims) FROM stdin;
1	\\x6b0ccad55fe6049b394a2c81	\\x01a229f8512d7cdd95b1b9632680fb80	1	native	sms	\\x9350bf3d52c3f59b1bf69823f2bde665a34e88cdc92b8d8e15428563c872a40d	\\x45a84ea947fc6418c2f02d6df9fcdb503b990f46ff73ba7297956e725f3f1210	1	\\xb5e3f43ac7504043fef9ec85b04b59f1	1796000469	1796000469	1796000469	1798592469	1803776469	1796004069	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x95b885f63c7c17035ecc73d04e1c085792c17be2661bafdf1b30a3f4b080d5b07e4d5f27a6288154d329b2a2a5b61d519ebf8d3246ea1cf503d4
2	\\x6b0ccad5f5e92a454597b3bd	\\x01a229f8519a7607a5854cfa1e1825fc	1	native	email	\\xdfc10922cf98dd30460b35ba510bb658238199ca4b3e03e660fbcfd93f3b537f	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xbc6bbafe552d3110a9bb512c30f2f566	1796000469	1796000469	1796000469	1798592469	1803776469	1796004069	f	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x7edb54f42cddd3dd123efbeb30cc764459b351077e42a82ec9ce459e55648e9d4e30aa011fbd78f8c1e8f98bbd756100ac2a7c607f310ee9c6b781aaa79ced9b7b351a766ed41f47418023bb5b7e4d96b308cd553727c4e1603824093f78505769fa
3	\\x6b0ccad5bed114c7a008722d	\\x01a229f851c87901a8e003c34ab381a8	1	native	sms	\\xa648fb9c84e21c9ebb9a47b7e3245e6cafb777d237c95b5081ce86b89ad24743	\\x0000000000000000000000000000000000000000000000000000000000000000	0	\\xd6c77c81aa5a06be8611b52f50c514d4	1796000469	1796000469	1796000469	1798592469	1803776469	1796004069	t	0	0	0	\N	127.0.0.0/24	\N	0	0	0	0	\\x0c4cea27c4e01260a531489629e0d3c6f8f5b4e98e60acd738f5fe81f33a848d58a4868ef1479ccf0f83726fdf897ad3f12598fe764a1dccf53a
\.


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.signing_keys (kid, algorithm, state, state_since, created_at, token_seconds, sealed) FROM stdin;
bb2d716511a5528b	RS256	signing	1796000466	1796000466	3660	\\xba81a4f15929db3100f40aff07140276c4f3ddddaf7c97392b20b19bb24f3f207597db427ad56eb6ae7ac01cb1a61e5eeb680f58828a8bda4fe8d3056dc8143e99e9fdece06944113ef3138fb9bc2ebf3614563aae2adc289c3d68eedacabe25b5b545b383e13a9fca852262feee9e32d6fb81e63977202596ebf2d1e2d74a83b812a073e6fdcb31350f3aabbdea633376e1a96ca446e74490e726ec047fded01b7413221dd6b010dc302c3cd5b56fd9438d3b8f5587748d86bad9ddec652a824e1f65de67d4e52b0fccb2619903473927fa24667afdaea2ff367e9145906a3a4ee242e8407e36acdbd77f4a79d720b21bf3e5ba241c2133e0e6c79496d07425c60aacf9070b577e3ae58fa707940f614dea5769a4b0012d677007783387dc480a551124fe0cfeca02fd63d2e944030c49e5a91bb6e1967d7fb1bf0b8699d7d36bb459d7143047d9a24d38409a7464040031a3a65304e79467f34873174890b26f0169b24acba034136c4bfe0fd2605f8e8bd1a4d08576e4428268fb07b320e31b7dcb118e8ee8241ebe21e1b9d75f0ec3dfce024f26f25d9e7f17099b76f9ee17ca5c602adc3c26a0c05f983bada537200638f0eee1821f8a9acce97928defef6f3ced4df8a6ead125ca71652939cb1bcf2c7ed3481ef28fb16e201dfb3a6c63049d1cb9e737fbb1af6bd9309b8a3fafd554d1c385c73aaa9a0c08fbb9c8431a1ef728ef5bba7756596c258fba4f584821f449e46cdc5e6d6ee19c4c3475499ea6cfb83dd913266d5e07197de45e2c54abf542afbff6aed8fce057c1f0fa19bc0c124bf88a90e79364479e0f32fa92c9b836c4d26e01c515f2aba111b88604948776fb9f3b7e57131d7bcea379332a513e8c038dd4ab0691d8b549c6abc154183910777d9a6e9a79bb9202ae11f218a517392957c94f7d051b43388641a4468cb433deb28b5410e92e8cd7acf5a5adfe0f5d53eb2da17a09575fe3b9273496af4244e0e57fec6f597fd5fde6f635e6a7702112f57a4aa0f1420b3b814c07eace9256e115ff749cbb736cff2f03a4ce28a2e3f2f8fce615c30c38570851b28f56ba0d430b049acc19410af90b62bc39a4918f920160a2b4733027da7d76320666e6d4c937f084212fb357564a63f3ec6dcc64a58c2e85cd34b243782a460c3a8114ac2eaf3edeefca7faa787ca1d1aeade207fc6834fdfe32aaac01b387765966ad10142ebde3fb8cd3edf4968fa0eb32cc32eae5327da125b669501ae33c21c74b3a7b6f03b182014ac15aa181607c08998600d52591de14a099324222f8403bdf5489ee5d8d76bd4e0c9e46f5eb921cb939c0eb21234c161b00a7d0b82fdc1a6919d6dea7e6ba0db62468d7ced3b2f454c4e7eaf5011542301d4be21de0642928f16a5b5a744fade64baecd5b60d996d2ba03891b61540ec4e2b491195e0214b3cbf1531f947e21514e04099d80ae5b0df45d9b24717e67d4c1602cdec13deb88b7ff2845c2c39a0d6dcdfdd89670d943c9915985a2c96a1d32abb22c6a774aa4c3e62160d6416dd408e8c0645cafb356e9e7b2a0ddc17c8e042383298eadab15fa15927daf587684f4792f021f95d848de6f881fb64e44439e7853e9f446c38ee8ed2480d39c42621d6b3f94cf2bb4e8859ee8acc023fb17d567d4467db76d32a783a9c7f0e7c096d13bf93149dddd7c2fd610976980127eb891f7d64f5648679ae1ab36a90dd339eae0ef5ff16ee44e2eafc81297f0c4c1a73bb424b
\.


--
-- Data for Name: used_grants; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.used_grants (id, session, expires_at) FROM stdin;
6b0ccad5a7FIj-wUEfOVfpWTVzD8lL10FVJuoYc3	1	1796004129
6b0ccad5-g6HG3is1eB6ycKjAqVlZPh28wVsEINJ	2	1796004129
6b0ccad5_0fzsLV4qLc7PErx_DmQ-ijPlk6FomW7	3	1796004129
\.


--
-- Data for Name: user_epochs; Type: TABLE DATA; Schema: latchkey_token; Owner: postgres
--

COPY latchkey_token.user_epochs (user_id, epoch, version, expires_at) FROM stdin;
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
1	1	\\xde19ccb3089abdc3f4237431e58cceff53d85ec5dcd07989c55ba43207df2f5f	1	1796000469	user.created	\\x213070106834bc6f80bd029ca25a738b	sms	\N	de61fc0f547efad3f4371df734cca3aa	\N
1	2	\\xc9f1a127019498646de6a2aa79a3c0c554fbdd400892242f3afa0e5d3e17ecd6	2	1796000469	user.created	\\x356d9f5523ffe978f2b7f23287ecaf49	email	\N	96a5c042af00b4b917e1fac6f227947c	\N
1	3	\\xbc23abc933eb1ed8fdbca731d796fec5c69313f2847fa2aa23520bd4deca0ba7	3	1796000469	user.created	\\xe5124664f797116af101f937fc6c461a	sms	\N	2e55c7fc7d98afc8495041befb825e1c	\N
1	4	\\x27342e591e247f1747ecf5fe51b662b0414a68b3d33dba56c2b00638c5299c66	4	1796000469	otp.sent	\\x32d1e1b3f7b15391fde6f0d9496816b8	\N	\N	\N	stranger
1	5	\\x6d0cdae11d571559e0af5ef25ad287d713a2eb4cd7d8fde6c12a5225d0f689e9	5	1796000469	otp.approved	\\x32d1e1b3f7b15391fde6f0d9496816b8	\N	\N	\N	stranger
1	6	\\x0722b195c8e4bb8cc2047c0c9d9f25244d8aac0ba06858cee0dc21de2386a86f	6	1796000469	otp.sent	\\x3f184543fa90fa11c20bc452e4e3fcd8	\N	\N	\N	stranger
1	7	\\x30c5e6c8301c432c73454532869b8c89446e871ac622d2b0c097a60e0a86ebad	7	1796000469	otp.approved	\\x3f184543fa90fa11c20bc452e4e3fcd8	\N	\N	\N	stranger
1	8	\\x8a7c1ca0369826fdf8724085410de21c0031d36c33902a2a466c97a715ab45e6	8	1796000469	otp.sent	\\xa71f3d5babda4ac4ad49ec92bd44ca5d	\N	\N	\N	stranger
1	9	\\xcfb589f08ce6a10e382b0cf2ba7fb1b7f6240805d4301c92b651655ae49a10ec	9	1796000469	otp.approved	\\xa71f3d5babda4ac4ad49ec92bd44ca5d	\N	\N	\N	stranger
\.


--
-- Data for Name: audit_moved; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_moved (stream_id, moved_at) FROM stdin;
1796000470151-0	1796000469
1796000470272-0	1796000469
1796000470381-0	1796000469
1796000470399-0	1796000469
1796000470432-0	1796000469
1796000470445-0	1796000469
\.


--
-- Data for Name: audit_slots; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.audit_slots (number, newest, newest_hash, removed, removed_hash) FROM stdin;
1	9	\\xcfb589f08ce6a10e382b0cf2ba7fb1b7f6240805d4301c92b651655ae49a10ec	0	\\x0000000000000000000000000000000000000000000000000000000000000000
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
phone	+15559310673	\\x01a229f8512d7cdd95b1b9632680fb80	1796000469	1796000469	\N
email	ann.1220394e-68ad-46fd-b82f-619d8243d5b5@example.com	\\x01a229f8519a7607a5854cfa1e1825fc	1796000469	1796000469	\N
phone	+15559310674	\\x01a229f851c87901a8e003c34ab381a8	1796000469	1796000469	\N
\.


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.invitations (kind, value, id, role, expires_at) FROM stdin;
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.leases (name, holder, until) FROM stdin;
audit_mover	03ee2f5216a4e499	1796000481
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
6b0ccad5ea93292b4969d25119d8e81bcdbe3e11	\\x01a229f8512d7cdd95b1b9632680fb80	t	f	1796004129	\N	\N
6b0ccad55cc4a44f2380577f32648ba3fcc134f6	\\x01a229f8519a7607a5854cfa1e1825fc	t	f	1796004129	\N	\N
6b0ccad5074c49a5e4bb3f9a42a46b6bd3a55f70	\\x01a229f851c87901a8e003c34ab381a8	t	f	1796004129	\N	\N
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
version 1, 6384ac09ad24cba3	1.0.0-beta.1	
\.


--
-- Data for Name: server_record; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.server_record (id, identifier, number) FROM stdin;
1	7713763248281347434	1796000466
\.


--
-- Data for Name: unverified_addresses; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.unverified_addresses (address, user_id, created_at) FROM stdin;
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: latchkey_user; Owner: postgres
--

COPY latchkey_user.users (id, pseudonym, name, attributes, role, is_active, epoch, version, created_at, updated_at, deletion_requested_at, deletion_due_at, is_for_review, legacy_id) FROM stdin;
\\x01a229f8512d7cdd95b1b9632680fb80	\\x213070106834bc6f80bd029ca25a738b	Ann	{}	user	t	1	1	1796000469	1796000469	\N	\N	f	\N
\\x01a229f8519a7607a5854cfa1e1825fc	\\x356d9f5523ffe978f2b7f23287ecaf49	\N	{}	user	t	1	1	1796000469	1796000469	\N	\N	f	\N
\\x01a229f851c87901a8e003c34ab381a8	\\xe5124664f797116af101f937fc6c461a	\N	{}	user	t	1	1	1796000469	1796000469	\N	\N	f	\N
\.


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: latchkey_token; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_token.audit_id_seq', 5, true);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: latchkey_user; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_user.audit_id_seq', 9, true);


--
-- Name: outbox_id_seq; Type: SEQUENCE SET; Schema: latchkey_user; Owner: postgres
--

SELECT pg_catalog.setval('latchkey_user.outbox_id_seq', 1, false);


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
-- Name: TABLE users; Type: ACL; Schema: latchkey_user; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE latchkey_user.users TO user_role;


--
-- PostgreSQL database dump complete
--


