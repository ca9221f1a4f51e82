// @module-tag postgresql
/** Questions of an order over HTTP: asked by its worker, answered once by those who may, and safe ends without an answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PURPOSES } from "../../../src/checkout/worker-protocol/question.ts";
import type { TestResponse } from "../../support/stack.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";
import type { Job } from "./worker-client.ts";

const COMPANY = { purpose: "company", kind: "text", merchantText: "Company *", maxLength: 40 };
const BIRTHDATE = {
  ...{ purpose: "date_of_birth", kind: "date", merchantText: "Geburtsdatum" },
  ...{ earliest: "1900-01-01", latest: "2008-11-26" },
};
const SALUTATION = {
  ...{ purpose: "salutation", kind: "choice", merchantText: "Anrede" },
  choices: [
    { id: "f", label: "Frau" },
    { id: "m", label: "Herr" },
  ],
};
const CONSENT = { purpose: "consent", kind: "yes_no", merchantText: "I am a trade customer" };

const ANSWER = `mutation ($input: AnswerOrderQuestionInput!) { answerOrderQuestion(input: $input) { __typename
  ... on AnswerOrderQuestionSuccess { question { questionId status } } ... on Error { code } ... on InvalidRequestError { field } } }`;

let fixture: DispatchFixture;
let buyer: Buyer;
beforeAll(async () => {
  fixture = await openDispatchFixture({ CHECKOUT_QUESTION_MS: "600000" });
  buyer = await fixture.openBuyer();
  await buyer.signPolicy();
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;
const send = (lease: string, verb: string, body: object = {}) => fixture.worker.send(lease, verb, body);

async function startOrder(by = buyer): Promise<Job> {
  const { json } = await by.dispatch(fixture.createDispatch());
  const job = await fixture.worker.claimNext();
  expect(job.orderId).toBe(json.order_id);
  return job;
}
const ask = async ({ lease }: Job, question: object): Promise<string> => {
  const { status, text, json } = await send(lease, "questions", question);
  if (status !== 200) throw new Error(text);
  return json.question.id;
};
const awaitAnswer = async ({ lease }: Job, id: string, waitMs = 0) =>
  await send(lease, `questions/${id}/answer`, { waitMs });
const readOrder = async ({ orderId }: Job, by = buyer) =>
  (await fixture.stack.rest(by.token, "GET", `/api/autofill/orders/${orderId}`)).json;
const answerAsAgent = (id: string, answer: unknown, token = buyer.token): Promise<TestResponse> =>
  fixture.stack.rest(token, "POST", `/api/autofill/questions/${id}/answer`, { answer });
const answerAsOwner = async (id: string, answer: string, by = buyer) =>
  (await by.visitor.graphql(ANSWER, { input: { id, answer } })).answerOrderQuestion;
const end = ({ lease }: Job, cause = "missing_field") => send(lease, "finish", { cause });
/** Texts of queued emails about questions. */
async function listEmails({ accountId }: Buyer): Promise<string[]> {
  const query = "SELECT data FROM jobs.job WHERE data->>'to' = $1 AND data->>'subject' LIKE '%needs your answer%'";
  const rows = await fixture.stack.service.deps.db.query<{ data: { text: string } }>(
    { name: "test-question-emails", text: query },
    [`${accountId}@people.example`],
  );
  return rows.map(({ data }) => data.text);
}
const expire = (id: string) =>
  prisma().orderQuestion.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });

it("shows the question on the order, and continues with the agent's answer", async () => {
  const job = await startOrder();
  const id = await ask(job, COMPANY);
  expect(await ask(job, COMPANY)).toBe(id);
  const order = await readOrder(job);
  expect(order).toMatchObject({ status: "dispatched", person_needed_for: "question" });
  expect(order.question).toEqual({
    ...{ id, purpose: "company", text: PURPOSES.company.text, merchant_text: "Company *", kind: "text", choices: [] },
    ...{ min_length: 1, max_length: 40, earliest: null, latest: null, may_agent_answer: true, status: "open" },
    expires_at: expect.any(String),
  });
  await expect.poll(() => listEmails(buyer)).toEqual([expect.stringContaining(`/orders/${job.orderId}`)]);
  expect(Date.parse(order.question.expires_at)).toBeLessThanOrEqual(Date.now() + 600_000);
  expect((await awaitAnswer(job, id)).json).toEqual({ status: "open" });
  expect((await send(job.lease, "card")).status).toBe(409);
  const waiting = awaitAnswer(job, id, 20_000);
  expect(await answerAsAgent(id, " Engines Ltd ")).toMatchObject({
    status: 200,
    json: { question: { status: "answered" } },
  });
  expect((await waiting).json).toEqual({ status: "answered", answer: "Engines Ltd" });
  expect(await readOrder(job)).toMatchObject({ person_needed_for: null, question: null });
  expect((await answerAsAgent(id, "Other Ltd")).json.error).toBe("invalid_transition");
  expect((await send(job.lease, "card")).status).toBe(200);
  expect((await send(job.lease, "questions", SALUTATION)).json.error).toBe("question_refused");
  await end(job, "card_declined");
  const { json: bundle } = await fixture.stack.rest(buyer.token, "GET", `/api/autofill/orders/${job.orderId}/evidence`);
  expect(bundle.execution.questions).toEqual([
    {
      ...{ id, purpose: "company", kind: "text", merchant_text: "Company *", status: "answered" },
      ...{ answer: "Engines Ltd", answered_by: "requester" },
      ...{ asked_at: expect.any(String), ended_at: expect.any(String) },
    },
  ]);
});

it("asks the owner alone about age and consent", async () => {
  const job = await startOrder();
  for (const [question, answer] of [
    [BIRTHDATE, "1990-12-10"],
    [CONSENT, "yes"],
  ] as const) {
    const id = await ask(job, question);
    expect((await readOrder(job)).question.may_agent_answer).toBe(false);
    expect((await answerAsAgent(id, answer)).status).toBe(403);
    expect(await answerAsOwner(id, answer)).toMatchObject({ question: { questionId: id, status: "ANSWERED" } });
    expect((await awaitAnswer(job, id)).json).toEqual({ status: "answered", answer });
  }
  await end(job);
});

it("lets no other account, token or app answer", async () => {
  const job = await startOrder();
  const id = await ask(job, SALUTATION);
  const otherAccount = await fixture.openBuyer();
  expect((await answerAsAgent(id, "f", otherAccount.token)).status).toBe(404);
  expect(await answerAsOwner(id, "f", otherAccount)).toMatchObject({ code: "NOT_FOUND" });
  await prisma().checkoutOrder.update({ where: { id: job.orderId }, data: { credentialId: "tok_other" } });
  expect((await answerAsAgent(id, "f")).status).toBe(403);
  expect(await answerAsOwner(id, "f")).toMatchObject({ question: { status: "ANSWERED" } });
  await end(job);
});

it.each([
  [COMPANY, ["", "x".repeat(41), "4242 4242 4242 4242", "a\u0007b"]],
  [SALUTATION, ["Frau", "d", ""]],
  [CONSENT, ["true", "YES"]],
  [BIRTHDATE, ["1990-02-30", "10.12.1990", "2008-11-27", "1899-12-31"]],
])("rejects answers that do not fit the question %#", async (question, answers) => {
  const job = await startOrder();
  const id = await ask(job, question);
  for (const answer of answers) {
    expect(await answerAsOwner(id, answer)).toMatchObject({ code: "INVALID_REQUEST", field: expect.any(String) });
  }
  expect((await awaitAnswer(job, id)).json).toEqual({ status: "open" });
  await end(job);
  expect((await prisma().orderQuestion.findUniqueOrThrow({ where: { id } })).status).toBe("withdrawn");
});

it.each([
  { purpose: "card_number" },
  { purpose: "password" },
  { purpose: "merchant_code", kind: "text", merchantText: "Bank code (TAN)" },
  { purpose: "company", kind: "text", merchantText: "Card number" },
  { purpose: "company", kind: "text", merchantText: "Codice fiscale" },
  { purpose: "address_detail", kind: "text", merchantText: "Social security number" },
  { purpose: "salutation", kind: "choice", merchantText: "Title", choices: [{ id: "1", label: "Passport number" }] },
  { purpose: "consent", kind: "text", merchantText: "Agree" },
])("refuses to ask %o", async (question) => {
  const job = await startOrder();
  const { status } = await send(job.lease, "questions", { kind: "text", merchantText: "Field", ...question });
  expect([400, 409]).toContain(status);
  expect(await prisma().orderQuestion.count({ where: { orderId: job.orderId } })).toBe(0);
  await end(job);
});

it("accepts one of two concurrent answers", async () => {
  const job = await startOrder();
  const id = await ask(job, SALUTATION);
  const results = await Promise.all([
    answerAsOwner(id, "f").then(({ question }) => question !== undefined),
    answerAsAgent(id, "m").then(({ status }) => status === 200),
  ]);
  expect(results.filter(Boolean)).toHaveLength(1);
  expect((await awaitAnswer(job, id)).json).toEqual({ status: "answered", answer: results[0] ? "f" : "m" });
  await end(job);
});

it("ends safely without an answer, and repeatedly so", async () => {
  for (let round = 0; round < 2; round++) {
    const job = await startOrder();
    const id = await ask(job, COMPANY);
    await expire(id);
    const [late, waited] = await Promise.all([answerAsAgent(id, "Late Ltd"), awaitAnswer(job, id)]);
    expect([late.json.error, waited.json]).toEqual(["invalid_transition", { status: "expired" }]);
    await end(job);
    expect(await readOrder(job)).toMatchObject({
      ...{ status: "worker_error", error_code: "missing_field", retryable: true, retry_action: "re_preview" },
      question: null,
    });
  }
});

it("does not count the wait against the time limit, for ten minutes at most", async () => {
  const job = await startOrder();
  const id = await ask(job, COMPANY);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await prisma().checkoutOrder.update({ where: { id: job.orderId }, data: { startedAt: minutesAgo(9.5) } });
  await prisma().orderQuestion.update({ where: { id }, data: { createdAt: minutesAgo(9) } });
  await answerAsAgent(id, "Engines Ltd");
  const second = await ask(job, SALUTATION);
  const { expiresAt } = await prisma().orderQuestion.findUniqueOrThrow({ where: { id: second } });
  expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  await answerAsAgent(second, "f");
  expect((await send(job.lease, "card")).status).toBe(200);
  expect((await send(job.lease, "submitting")).status).toBe(200);
  await end(job, "outcome_unknown");
});

it("refuses answers while the account is frozen, and ends the question with its order", async () => {
  const frozen = await fixture.openBuyer();
  await frozen.signPolicy();
  const job = await startOrder(frozen);
  const id = await ask(job, COMPANY);
  await frozen.visitor.graphql("mutation { stopEverything(input: {}) { __typename } }");
  expect((await answerAsAgent(id, "Engines Ltd", frozen.token)).json.error).toBe("account_frozen");
  expect((await awaitAnswer(job, id)).status).toBe(409);
  expect(await readOrder(job, frozen)).toMatchObject({
    status: "worker_error",
    error_code: "account_frozen",
    question: null,
  });
  expect((await prisma().orderQuestion.findUniqueOrThrow({ where: { id } })).status).toBe("withdrawn");
});

describe("the purposes", () => {
  it("leave consent, age, address and prices to the owner", () => {
    const harmless = Object.entries(PURPOSES).flatMap(([name, { isHarmless }]) => (isHarmless ? [name] : []));
    expect(harmless).toEqual(["salutation", "company", "delivery_note"]);
  });
});
