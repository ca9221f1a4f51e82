-- What these scopes cover needed none, or a wider one, so credentials keep it.
UPDATE "api_tokens" SET "scopes" = "scopes" || ARRAY['account:read', 'cards:read']
  || CASE WHEN 'payments:sign' = ANY("scopes") THEN ARRAY['orders:write', 'trade:execute'] ELSE '{}' END
  || CASE WHEN 'email:read' = ANY("scopes") THEN ARRAY['email:send'] ELSE '{}' END;
UPDATE "oauth_grants" SET "scopes" = "scopes" || ARRAY['account:read', 'cards:read']
  || CASE WHEN 'payments:sign' = ANY("scopes") THEN ARRAY['orders:write', 'trade:execute'] ELSE '{}' END
  || CASE WHEN 'email:read' = ANY("scopes") THEN ARRAY['email:send'] ELSE '{}' END;
UPDATE "oauth_codes" SET "scopes" = "scopes" || ARRAY['account:read', 'cards:read']
  || CASE WHEN 'payments:sign' = ANY("scopes") THEN ARRAY['orders:write', 'trade:execute'] ELSE '{}' END
  || CASE WHEN 'email:read' = ANY("scopes") THEN ARRAY['email:send'] ELSE '{}' END;
UPDATE "oauth_tokens" SET "scopes" = "scopes" || ARRAY['account:read', 'cards:read']
  || CASE WHEN 'payments:sign' = ANY("scopes") THEN ARRAY['orders:write', 'trade:execute'] ELSE '{}' END
  || CASE WHEN 'email:read' = ANY("scopes") THEN ARRAY['email:send'] ELSE '{}' END;
