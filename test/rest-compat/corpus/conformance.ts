/** Whether exchanges fit an OpenAPI document: parameters, status, media type and bodies. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { RawExchange } from "./recorder.ts";

const DOCUMENT = "openapi.json";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any client reads it.
type Document = any;

/** Returns the function that reports how an exchange differs from the document; null if it fits. */
export function createConformanceCheck(document: Document): (exchange: RawExchange) => string | null {
  const ajv = new Ajv2020.default({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const validators = new Map<string, ValidateFunction>();
  const getValidator = (pointer: readonly string[], isComplete: boolean): ValidateFunction => {
    const parts = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const $ref = `${DOCUMENT}#/${parts.join("/")}`;
    const known = validators.get($ref);
    if (known) return known;
    const validate = ajv.compile(isComplete ? { $ref, unevaluatedProperties: false } : { $ref });
    validators.set($ref, validate);
    return validate;
  };
  /** @param isComplete whether the schema must describe each member of the value */
  const validateAt = (pointer: readonly string[], value: unknown, isComplete: boolean): string | null => {
    const validate = getValidator(pointer, isComplete);
    if (validate(value)) return null;
    const problems = validate.errors?.map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
    return problems?.join("; ") ?? "";
  };
  return ({ route, parameters, sent, response }) => {
    const [method = "", path = ""] = route.split(" ");
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) return "The operation is not described.";
    const place = ["paths", path, method.toLowerCase()];
    if (response.status < 400) {
      const described = new Set(operation.parameters.map((parameter: { name: string }) => parameter.name));
      const unknown = parameters.find(([name]) => !described.has(name));
      if (unknown) return `The parameter ${unknown[0]} is not described.`;
      if (sent !== undefined) {
        const problem = validateAt([...place, "requestBody", "content", "application/json", "schema"], sent, false);
        if (problem) return `Request: ${problem}`;
      }
    }
    const status = operation.responses[response.status] ? String(response.status) : "default";
    const described = operation.responses[status];
    if (!described) return `The status ${response.status} is not described.`;
    const type = response.headers.get("content-type")?.split(";")[0] ?? null;
    if (type === null || response.text === "")
      return described.content && status !== "default" ? "The body is missing." : null;
    const media = [type, "*/*"].find((one) => described.content?.[one]);
    if (!media) return `The media type ${type} of the status ${response.status} is not described.`;
    if (type !== "application/json") return null;
    const problem = validateAt(
      [...place, "responses", status, "content", media, "schema"],
      response.json,
      response.status >= 400,
    );
    return problem && `Response: ${problem}`;
  };
}
