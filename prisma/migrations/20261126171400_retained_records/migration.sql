-- CreateTable
CREATE TABLE "order_records" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "merchant_name" TEXT NOT NULL,
    "merchant_domain" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "amount_minor" BIGINT,
    "amount_charged_minor" BIGINT,
    "currency" TEXT,
    "merchant_order_number" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "evidence" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_records_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "order_records_ended_at_idx" ON "order_records"("ended_at");

-- CreateIndex
CREATE INDEX "order_records_account_id_idx" ON "order_records"("account_id");

-- Acts of administrators are only inserted. Two changes remain possible: the deletion of the account that an act concerns removes its
-- reason and values, and retention deletes acts of more than ten years ago.
CREATE FUNCTION refuse_change_of_administrator_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < now() - interval '3650 days' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.reason IS NULL AND NEW.before IS NULL AND NEW.after IS NULL
    AND (NEW.id, NEW.actor_account_id, NEW.action, NEW.subject_account_id, NEW.subject_type, NEW.subject_id, NEW.proposal_id, NEW.created_at)
      IS NOT DISTINCT FROM
      (OLD.id, OLD.actor_account_id, OLD.action, OLD.subject_account_id, OLD.subject_type, OLD.subject_id, OLD.proposal_id, OLD.created_at)
    AND EXISTS (SELECT FROM public.account_deletions d WHERE d.account_id = OLD.subject_account_id AND d.status = 'running') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'Acts of administrators are append-only. Nothing was changed.' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER administrator_acts_append_only BEFORE UPDATE OR DELETE ON "administrator_acts"
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_administrator_act();

CREATE TRIGGER administrator_acts_no_truncation BEFORE TRUNCATE ON "administrator_acts"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_administrator_act();
