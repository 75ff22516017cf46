-- What Supabase's PostgreSQL has for row-level policies: roles, auth.uid() and auth.jwt() as its migrations define them.
CREATE ROLE anon NOLOGIN;
CREATE ROLE authenticated NOLOGIN;
CREATE SCHEMA auth;
GRANT USAGE ON SCHEMA auth TO anon, authenticated;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
    )::uuid
$$;
CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
$$;
-- An app's table, with a policy for its owner, one for a right that only the operator gives, and one for other levels.
CREATE TABLE notes (id bigserial PRIMARY KEY, owner uuid NOT NULL DEFAULT auth.uid(), text text NOT NULL);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON notes TO authenticated;
GRANT USAGE ON SEQUENCE notes_id_seq TO authenticated;
CREATE POLICY own ON notes TO authenticated USING (auth.uid() = owner) WITH CHECK (auth.uid() = owner);
CREATE POLICY support ON notes FOR SELECT TO authenticated USING (auth.jwt() -> 'app_metadata' ->> 'plan' = 'support');
CREATE POLICY level ON notes AS RESTRICTIVE TO authenticated USING (auth.jwt() ->> 'aal' IN ('aal1', 'aal2'));
