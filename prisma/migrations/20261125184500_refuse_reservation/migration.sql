-- Ends the statement that reserves money (src/wallet/reserve-statement.ts) with an SQLSTATE of its own, and so rolls it
-- back. It must never return: the statement would then commit charges without a payment. VOLATILE: the planner may call any
-- other function before the statement runs. The semicolon is written \x3B, because Prisma's adapter splits a migration at every
-- semicolon, also inside quotes.
CREATE FUNCTION "refuse_reservation"() RETURNS boolean LANGUAGE plpgsql VOLATILE AS E'
BEGIN
  RAISE EXCEPTION ''A budget, the credit or a balance does not cover the reservation. Nothing was reserved.''
    USING ERRCODE = ''SR001''\x3B
END';
