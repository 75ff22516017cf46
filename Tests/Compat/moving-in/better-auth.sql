-- Better Auth's two tables that matter, as its own migration makes them on SQLite with the plugin admin; hashes are vectors of
-- Tests/Vectors/Passwords.
CREATE TABLE "user" (
    "id" text NOT NULL PRIMARY KEY, "name" text NOT NULL, "email" text NOT NULL UNIQUE, "emailVerified" integer NOT NULL,
    "image" text, "createdAt" date NOT NULL, "updatedAt" date NOT NULL, "banned" integer, "banReason" text, "banExpires" date
);
CREATE TABLE "account" (
    "id" text NOT NULL PRIMARY KEY, "accountId" text NOT NULL, "providerId" text NOT NULL,
    "userId" text NOT NULL REFERENCES "user" ("id"), "accessToken" text, "refreshToken" text, "idToken" text,
    "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
    "createdAt" date NOT NULL, "updatedAt" date NOT NULL
);
INSERT INTO "user" VALUES
    ('GpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'Ann', 'ann@better.example.com', 1, NULL, '2025-03-04T05:06:07.089Z', '2025-03-04T05:06:07.089Z', NULL, NULL, NULL),
    ('HpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'Google', 'google@better.example.com', 1, NULL, 1741064767, 1741064767, 0, NULL, NULL),
    ('IpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'New', 'new@better.example.com', 0, NULL, 1741064767089, 1741064767089, NULL, NULL, NULL),
    ('JpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'Banned', 'banned@better.example.com', 1, NULL, 1741064767, 1741064767, 1, 'spam', NULL),
    ('KpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'Later', 'later@better.example.com', 1, NULL, 1741064767, 1741064767, 1, 'spam', '2099-01-01T00:00:00.000Z'),
    ('LpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'Free', 'free@better.example.com', 1, NULL, 1741064767, 1741064767, 1, 'spam', '2025-04-01T00:00:00.000Z');
INSERT INTO "account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt") VALUES
    ('a1', 'GpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'credential', 'GpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', '000102030405060708090a0b0c0d0e0f:70cc7d605f9fd0bfd324b3978bd79ee81076d98810046ed91604c3cb8aa6957761a2b0b97abf1e7c417ec4a9baa7bd1ce53449880d90dc1117c88d69b4f0b72e', 1, 1),
    ('a2', '103547991597142817347', 'google', 'HpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', NULL, 1, 1),
    ('a3', 'IpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'credential', 'IpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', '000102030405060708090a0b0c0d0e0f:70cc7d605f9fd0bfd324b3978bd79ee81076d98810046ed91604c3cb8aa6957761a2b0b97abf1e7c417ec4a9baa7bd1ce53449880d90dc1117c88d69b4f0b72e', 1, 1),
    ('a4', 'JpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'credential', 'JpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', '000102030405060708090a0b0c0d0e0f:70cc7d605f9fd0bfd324b3978bd79ee81076d98810046ed91604c3cb8aa6957761a2b0b97abf1e7c417ec4a9baa7bd1ce53449880d90dc1117c88d69b4f0b72e', 1, 1),
    ('a5', 'KpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'credential', 'KpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', '000102030405060708090a0b0c0d0e0f:70cc7d605f9fd0bfd324b3978bd79ee81076d98810046ed91604c3cb8aa6957761a2b0b97abf1e7c417ec4a9baa7bd1ce53449880d90dc1117c88d69b4f0b72e', 1, 1),
    ('a6', 'LpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', 'credential', 'LpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE', '000102030405060708090a0b0c0d0e0f:70cc7d605f9fd0bfd324b3978bd79ee81076d98810046ed91604c3cb8aa6957761a2b0b97abf1e7c417ec4a9baa7bd1ce53449880d90dc1117c88d69b4f0b72e', 1, 1);
