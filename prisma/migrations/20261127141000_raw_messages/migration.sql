-- The key of a mailbox seals its raw messages and attachments. Plain chunks of earlier versions remain readable.
ALTER TABLE "mailboxes" ADD COLUMN "wrapped_data_key" BYTEA, ADD COLUMN "kek_id" TEXT;
ALTER TABLE "mail_attachment_chunks" ADD COLUMN "sealed_for" TEXT;
ALTER TABLE "mail_messages" ADD COLUMN "stored_bytes" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "parser_version" INTEGER;

CREATE INDEX "mail_messages_parser_version_id_idx" ON "mail_messages"("parser_version", "id") WHERE ("parser_version" IS NOT NULL);

-- Deferred: the chunks of a large message are stored before the lock of its mailbox, and therefore before its row.
CREATE TABLE "mail_raw_chunks" (
    "message_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "sealed_bytes" BYTEA NOT NULL,
    CONSTRAINT "mail_raw_chunks_pkey" PRIMARY KEY ("message_id", "position")
);
ALTER TABLE "mail_raw_chunks" ADD CONSTRAINT "mail_raw_chunks_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "mail_messages"("id")
  ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;
-- Sealed bytes do not compress.
ALTER TABLE "mail_raw_chunks" ALTER COLUMN "sealed_bytes" SET STORAGE EXTERNAL;

CREATE TABLE "mail_usage" (
    "mailbox_id" TEXT NOT NULL,
    "host_network" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    CONSTRAINT "mail_usage_pkey" PRIMARY KEY ("mailbox_id", "host_network")
);
CREATE INDEX "mail_usage_host_network_idx" ON "mail_usage"("host_network");
ALTER TABLE "mail_usage" ADD CONSTRAINT "mail_usage_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("id")
  ON DELETE CASCADE ON UPDATE CASCADE;

-- The host of a message, as its usage names it: an IPv4 address, or the first four groups of an IPv6 address.
ALTER TABLE "mail_messages" ADD COLUMN "host_network" TEXT;

-- Subtracts deleted messages from the usage, whatever deletes them. Rows are locked in order, so concurrent deletions do not deadlock.
CREATE FUNCTION "release_mail_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "mail_usage" u
    WHERE (u."mailbox_id", u."host_network") IN (SELECT d."mailbox_id", d."host_network" FROM deleted d WHERE d."stored_bytes" > 0)
    ORDER BY u."mailbox_id", u."host_network" FOR UPDATE;
  UPDATE "mail_usage" u SET "bytes" = u."bytes" - d."bytes"
    FROM (SELECT "mailbox_id", "host_network", sum("stored_bytes") AS "bytes" FROM deleted WHERE "stored_bytes" > 0 GROUP BY 1, 2) d
    WHERE u."mailbox_id" = d."mailbox_id" AND u."host_network" = d."host_network";
  DELETE FROM "mail_usage" u USING deleted d
    WHERE u."mailbox_id" = d."mailbox_id" AND u."host_network" = d."host_network" AND u."bytes" <= 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "mail_messages_release_usage" AFTER DELETE ON "mail_messages"
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION "release_mail_usage"();
