-- The search vector of a message has a digest of its mailbox in each lexeme. The index then finds the matches of one mailbox,
-- and not those of all, of which it would discard most.
DROP INDEX "mail_messages_search_idx";
ALTER TABLE "mail_messages" DROP COLUMN "search";
DROP FUNCTION "mail_search"(TEXT, TEXT, TEXT, TEXT[], TEXT[], TEXT);

CREATE FUNCTION "mail_scope"("mailbox_id" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT left(md5($1), 8) $$;

-- Only the beginning of a long text counts, because a tsvector holds 1 MB at most, and long words are split, because a lexeme
-- holds 2 kB at most: no message may be refused for its content. Addresses are split too, so that a name or a domain finds them.
CREATE FUNCTION "mail_search"("mailbox_id" TEXT, "subject" TEXT, "from_name" TEXT, "from_address" TEXT, "to_addresses" TEXT[], "cc_addresses" TEXT[], "body_text" TEXT)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT
      regexp_replace(to_tsvector('simple', regexp_replace(
        concat_ws(' ', left($2, 2000), left($3, 1000), addresses, translate(addresses, '@.-_+', '     '), left($7, 60000)),
        '(\S{250})', '\1 ', 'g'))::text, '''((?:[^'']|'''')*)''', '''' || mail_scope($1) || ':\1''', 'g')::tsvector
      || array_to_tsvector(ARRAY[mail_scope($1) || '=' || left(lower($4), 400), mail_scope($1) || '=@' || left(split_part(lower($4), '@', 2), 400)])
    FROM left(concat_ws(' ', $4, array_to_string($5, ' '), array_to_string($6, ' ')), 20000) AS addresses $$;

-- The query for words and phrases (PostgreSQL manual, section 12.3.2) in a mailbox.
CREATE FUNCTION "mail_text_query"("mailbox_id" TEXT, "query" TEXT) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT regexp_replace(to_tsquery('simple', $2)::text, '''((?:[^'']|'''')*)''', '''' || mail_scope($1) || ':\1''', 'g')::tsquery $$;

-- The query for a sender in a mailbox: an address, or a domain after `@`.
CREATE FUNCTION "mail_sender_query"("mailbox_id" TEXT, "sender" TEXT) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT ('''' || replace(replace(mail_scope($1) || '=' || left($2, 400), '\', '\\'), '''', '''''') || '''')::tsquery $$;

ALTER TABLE "mail_messages" ADD COLUMN "search" tsvector GENERATED ALWAYS AS ("mail_search"("mailbox_id", "subject", "from_name", "from_address", "to_addresses", "cc_addresses", "body_text")) STORED;
CREATE INDEX "mail_messages_search_idx" ON "mail_messages" USING GIN ("search");

-- Only messages to be sent have a next attempt.
DROP INDEX "mail_messages_next_attempt_at_idx";
CREATE INDEX "mail_messages_next_attempt_at_idx" ON "mail_messages"("next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- The filters of the list of messages (see the migration `list_filters`).
CREATE INDEX "mail_messages_filters_idx" ON "mail_messages"("mailbox_id", (CASE WHEN "direction" = 'inbound' THEN NOT "is_read" ELSE false END), "direction", ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
