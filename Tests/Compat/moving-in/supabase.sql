-- auth.users as Supabase's migrations have made it by 2025, of the columns that anything is in.
CREATE EXTENSION pgcrypto;
CREATE SCHEMA auth;
CREATE TABLE auth.users (
    instance_id uuid,
    id uuid NOT NULL PRIMARY KEY,
    aud varchar(255),
    role varchar(255),
    email varchar(255),
    encrypted_password varchar(255),
    email_confirmed_at timestamptz,
    confirmation_token varchar(255),
    last_sign_in_at timestamptz,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamptz,
    updated_at timestamptz,
    phone text UNIQUE DEFAULT NULL,
    phone_confirmed_at timestamptz,
    confirmed_at timestamptz GENERATED ALWAYS AS (least(email_confirmed_at, phone_confirmed_at)) STORED,
    banned_until timestamptz,
    is_sso_user boolean NOT NULL DEFAULT false,
    deleted_at timestamptz,
    is_anonymous boolean NOT NULL DEFAULT false
);
CREATE TABLE auth.identities (
    provider_id text NOT NULL,
    user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
    identity_data jsonb NOT NULL,
    provider text NOT NULL,
    created_at timestamptz,
    UNIQUE (provider_id, provider)
);
-- pgcrypto's bcrypt, then hashes of users who came to Supabase from elsewhere (vectors of Tests/Vectors/Passwords).
INSERT INTO auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_user_meta_data, created_at) VALUES
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01', 'authenticated', 'authenticated', 'ann@supabase.example.com',
        crypt('nine supabase walks', gen_salt('bf', 10)), now(), '{"full_name": "Ann \"A.\" Ö"}', '2024-01-02 03:04:05.6+00'),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e02', 'authenticated', 'authenticated', 'firebase@supabase.example.com',
        '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==$AAECAwQFBgcICQ==$e4ew671ly6DjqgqXdTo+MfH+bBHq4PdVu8VqWAWFBMN1b7PcPWCw5jC/ahXVyMd8wqYBeq4CbG4zVjKwwbts5g==', now(), '{}', now()),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e03', 'authenticated', 'authenticated', 'argon@supabase.example.com',
        '$argon2id$v=19$m=65536,t=3,p=4$AAECAwQFBgcICQoLDA0ODw$WZX8Xdq9t/EPrirXlicMJpgh1wsO+4+2AmKoHxtvDrg', now(), '{"name": "Argon"}', now()),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e04', 'authenticated', 'authenticated', 'unconfirmed@supabase.example.com',
        crypt('nine supabase walks', gen_salt('bf', 10)), NULL, '{}', now());
INSERT INTO auth.users (id, email, encrypted_password, email_confirmed_at, phone, phone_confirmed_at, created_at) VALUES
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e05', NULL, NULL, NULL, '14155550150', now(), now()),
    -- A phone number that is not verified.
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e06', 'phone@supabase.example.com', crypt('nine supabase walks', gen_salt('bf', 10)),
        now(), '14155550151', NULL, now()),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e07', '', '', NULL, '14155550152', NULL, now());
INSERT INTO auth.users (id, email, encrypted_password, email_confirmed_at, created_at, banned_until, deleted_at, is_anonymous, is_sso_user)
VALUES
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e08', 'banned@supabase.example.com', crypt('nine supabase walks', gen_salt('bf', 10)),
        now(), now(), '2099-01-01', NULL, false, false),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e09', 'deleted@supabase.example.com', '', now(), now(), NULL, now(), false, false),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e10', NULL, NULL, NULL, now(), NULL, NULL, true, false),
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e11', 'sso@supabase.example.com', NULL, now(), now(), NULL, NULL, false, true);
-- Metadata that fits and that does not, and people who sign in with Apple or Google, of whom one has nothing else.
UPDATE auth.users SET raw_app_meta_data = '{"provider": "email", "providers": ["email"], "role": "editor", "plan": "pro"}',
    raw_user_meta_data = '{"full_name": "Ann \"A.\" Ö", "theme": "dark"}' WHERE email = 'ann@supabase.example.com';
UPDATE auth.users SET raw_user_meta_data = jsonb_build_object('name', 'Argon', 'long', repeat('x', 5000))
    WHERE email = 'argon@supabase.example.com';
INSERT INTO auth.users (id, created_at) VALUES ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e12', now());
INSERT INTO auth.identities (provider_id, user_id, identity_data, provider) VALUES
    ('5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01', '5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01', '{}', 'email'),
    ('114155552671', '5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01', '{}', 'google'),
    ('001234.abcdef.5678', '5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e12', '{}', 'apple');
