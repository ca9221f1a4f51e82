-- pg_restore computes the generated column with an empty search_path, so its function must not call mail_scope by its
-- unqualified name. The values are the same, and no row is rewritten.
CREATE OR REPLACE FUNCTION mail_search(
  mailbox_id text, subject text, from_name text, from_address text, to_addresses text[], cc_addresses text[], body_text text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT
      regexp_replace(to_tsvector('simple', regexp_replace(
        concat_ws(' ', left($2, 2000), left($3, 1000), addresses, translate(addresses, '@.-_+', '     '), left($7, 60000)),
        '(\S{250})', '\1 ', 'g'))::text, '''((?:[^'']|'''')*)''', '''' || left(md5($1), 8) || ':\1''', 'g')::tsvector
      || array_to_tsvector(ARRAY[left(md5($1), 8) || '=' || left(lower($4), 400), left(md5($1), 8) || '=@' || left(split_part(lower($4), '@', 2), 400)])
    FROM left(concat_ws(' ', $4, array_to_string($5, ' '), array_to_string($6, ' ')), 20000) AS addresses
$$;
