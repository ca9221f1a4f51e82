-- What a message is found by, kept by the database whoever writes the row. Addresses are split as well, so that a name or a
-- domain finds them. Only the beginning of a long text counts: a tsvector holds 1 MB at most, and no message may be refused
-- for what is in it.
CREATE FUNCTION "mail_search"("subject" TEXT, "from_name" TEXT, "from_address" TEXT, "to_addresses" TEXT[], "cc_addresses" TEXT[], "body_text" TEXT)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT to_tsvector('simple', concat_ws(' ', left($1, 2000), left($2, 1000), addresses, translate(addresses, '@.-_+', '     '), left($6, 60000)))
    FROM left(concat_ws(' ', $3, array_to_string($4, ' '), array_to_string($5, ' ')), 20000) AS addresses $$;

DROP INDEX "mail_messages_search_idx";

ALTER TABLE "mail_messages" DROP COLUMN "search";

ALTER TABLE "mail_messages" ADD COLUMN "search" tsvector GENERATED ALWAYS AS ("mail_search"("subject", "from_name", "from_address", "to_addresses", "cc_addresses", "body_text")) STORED;

CREATE INDEX "mail_messages_search_idx" ON "mail_messages" USING GIN ("search");
