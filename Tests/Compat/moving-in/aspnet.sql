-- AspNetUsers as the migration of ASP.NET Core's template makes it on SQLite; hashes are vectors of Tests/Vectors/Passwords.
CREATE TABLE "AspNetUsers" (
    "Id" TEXT NOT NULL CONSTRAINT "PK_AspNetUsers" PRIMARY KEY,
    "UserName" TEXT NULL,
    "NormalizedUserName" TEXT NULL,
    "Email" TEXT NULL,
    "NormalizedEmail" TEXT NULL,
    "EmailConfirmed" INTEGER NOT NULL,
    "PasswordHash" TEXT NULL,
    "SecurityStamp" TEXT NULL,
    "ConcurrencyStamp" TEXT NULL,
    "PhoneNumber" TEXT NULL,
    "PhoneNumberConfirmed" INTEGER NOT NULL,
    "TwoFactorEnabled" INTEGER NOT NULL,
    "LockoutEnd" TEXT NULL,
    "LockoutEnabled" INTEGER NOT NULL,
    "AccessFailedCount" INTEGER NOT NULL
);
INSERT INTO "AspNetUsers" VALUES
    ('8E445865-A24D-4543-A6C6-9443D048CDB9', 'ann', 'ANN', 'Ann@aspnet.example.com', 'ANN@ASPNET.EXAMPLE.COM', 1,
        'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/F82/mx+OwWr0QHAWyuVqjzKcjb7NkOUseLhxacRgqVQ==', 'x', 'y', '+14155550160', 1, 0, NULL, 1, 0),
    ('8e445865-a24d-4543-a6c6-9443d048cdb8', 'old', 'OLD', 'old@aspnet.example.com', 'OLD@ASPNET.EXAMPLE.COM', 1,
        'AAABAgMEBQYHCAkKCwwNDg/Kv5tkqQSdO0Z/d/XxWNczkIjFP2C3aR/Oyg84EdRL9A==', 'x', 'y', '(415) 555-0161', 1, 0, NULL, 1, 0),
    ('42', 'number', 'NUMBER', 'number@aspnet.example.com', 'NUMBER@ASPNET.EXAMPLE.COM', 1,
        'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/F82/mx+OwWr0QHAWyuVqjzKcjb7NkOUseLhxacRgqVQ==', 'x', 'y', '+14155550162', 0, 0, '2020-01-01 00:00:00+00:00', 1, 0),
    ('8e445865-a24d-4543-a6c6-9443d048cdb7', 'off', 'OFF', 'off@aspnet.example.com', 'OFF@ASPNET.EXAMPLE.COM', 1,
        'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/F82/mx+OwWr0QHAWyuVqjzKcjb7NkOUseLhxacRgqVQ==', 'x', 'y', NULL, 0, 0, '9999-12-31 23:59:59.9999999+00:00', 1, 0),
    ('8e445865-a24d-4543-a6c6-9443d048cdb6', 'new', 'NEW', 'new@aspnet.example.com', 'NEW@ASPNET.EXAMPLE.COM', 0,
        'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/F82/mx+OwWr0QHAWyuVqjzKcjb7NkOUseLhxacRgqVQ==', 'x', 'y', NULL, 0, 0, NULL, 1, 0),
    ('8e445865-a24d-4543-a6c6-9443d048cdb5', 'nobody', 'NOBODY', NULL, NULL, 0, NULL, 'x', 'y', NULL, 0, 0, NULL, 1, 0);
