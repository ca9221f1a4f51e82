/** Validation of a field's arguments: reports all problems at once, as one error of that field. */
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type FieldRequiredness,
  type InputFieldMap,
  type InputFieldMapping,
  type InputFieldsMapping,
  type InputType,
  mapInputFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
  unwrapInputFieldType,
} from "@pothos/core";
import { type GraphQLFieldResolver, specifiedScalarTypes } from "graphql";
import type { ZodType } from "zod";
import { formatPath, type InputProblem, InvalidRequestError, problemsOf } from "../src/platform/errors.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Path = readonly string[];
/** The schema of each argument and input field that has one; null for values that only need to be valid for their scalar. */
type Mapping = InputFieldsMapping<SchemaTypes, { schema: ZodType | null }>;

const BUILT_IN_SCALARS = new Set(specifiedScalarTypes.map(({ name }) => name));

/** Arguments whose members are the fields that errors name. */
const INPUT_ARGUMENTS = ["input", "filter"];

/**
 * Validates in the resolver. An argument mapper would run for the operation's complexity too, so that an invalid argument would
 * be an error of each root field.
 */
class ArgumentValidationPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(fieldConfig: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { kind, type, extensions, pothosOptions } = fieldConfig;
    const { errors } = pothosOptions as { errors?: { types?: readonly unknown[] } };
    return {
      ...fieldConfig,
      // A null in a root field must not remove the results of the others.
      type: kind === "Query" || kind === "Mutation" ? { ...type, nullable: true } : type,
      extensions: { ...extensions, returnsInputProblems: errors?.types?.includes(InvalidRequestError) ?? false },
    };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    return this.#validateFirst(resolve, fieldConfig);
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types["Context"], object> | undefined,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> | undefined {
    return subscribe && this.#validateFirst(subscribe, fieldConfig);
  }

  #validateFirst(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    { args, extensions, pothosOptions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    const names = Object.keys(args);
    const canReport = names.length > 0 || extensions?.["returnsInputProblems"] === true;
    if (!canReport || extensions?.["acceptsInvalidIds"] === true) return resolve;
    const mapping = mapInputFields(args, this.buildCache, (field) => {
      const { validate } = field.pothosOptions as { validate?: ZodType };
      if (validate) return { schema: validate };
      const { kind, name } = this.buildCache.getTypeConfig(unwrapInputFieldType(field.type));
      const canBeInvalid = (kind === "Scalar" && !BUILT_IN_SCALARS.has(name)) || field.extensions?.["isRelayGlobalID"];
      return canBeInvalid ? { schema: null } : null;
    }) as Mapping | null;
    const { validate = null } = pothosOptions as { validate?: ZodType };
    const locate = (error: unknown) => {
      if (!(error instanceof InvalidRequestError)) return error;
      error.problems = problemsOf(error).map(({ path, message }) => ({ path: completePath(path, names), message }));
      return error;
    };
    return (parent, given, context, info) => {
      const problems: InputProblem[] = [];
      const read = mapping ? readValues(problems, mapping, given as Arguments, []) : given;
      if (validate) parseValue(problems, validate, read, []);
      const [first] = problems;
      if (first) throw new InvalidRequestError(first.message, formatField(first.path), problems);
      try {
        const result = resolve(parent, read, context, info);
        return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(locate(error))) : result;
      } catch (error) {
        throw locate(error);
      }
    };
  }
}

/** Returns the values as their schemas convert them, and adds their problems. */
function readValues(problems: InputProblem[], mapping: Mapping, values: Arguments, path: Path): Arguments {
  const read: Record<string, unknown> = { ...values };
  for (const [name, field] of mapping) {
    if (name in values) read[name] = readValue(problems, values[name], field, field.listDepth, [...path, name]);
  }
  return read;
}

/** Reads one value. Its own schema applies if the values inside it are valid. */
function readValue(
  problems: InputProblem[],
  value: unknown,
  field: InputFieldMapping<SchemaTypes, { schema: ZodType | null }>,
  listDepth: number,
  path: Path,
): unknown {
  if (value === null || value === undefined) return value;
  if (value instanceof InvalidValue) {
    problems.push(createProblem(path, value.reason));
    return null;
  }
  const { length } = problems;
  let read = value;
  if (listDepth > 0) {
    read = (value as readonly unknown[]).map((item, i) =>
      readValue(problems, item, field, listDepth - 1, [...path, String(i)]),
    );
  } else if (field.kind === "InputObject" && field.fields.map) {
    read = readValues(problems, field.fields.map, value as Arguments, path);
  }
  const schema = field.value?.schema;
  const isOwn = schema && listDepth === field.listDepth && problems.length === length;
  return isOwn ? parseValue(problems, schema, read, path) : read;
}

function parseValue(problems: InputProblem[], schema: ZodType, value: unknown, path: Path): unknown {
  const { data, error } = schema.safeParse(value);
  for (const issue of error?.issues ?? []) {
    problems.push(createProblem([...path, ...issue.path.map(String)], issue.message));
  }
  return error ? value : data;
}

function createProblem(path: Path, reason: string): InputProblem {
  return { path, message: `${formatField(path)} ${reason}.` };
}

/** Returns the field's name in errors: its path without the name of the argument `input` or `filter`. */
function formatField(path: Path): string {
  return formatPath(path.length > 1 && INPUT_ARGUMENTS.includes(path[0] ?? "") ? path.slice(1) : path);
}

/** Returns the path with the argument that contains the field. */
function completePath(path: Path, argumentNames: readonly string[]): Path {
  if (argumentNames.includes(path[0] ?? "")) return path;
  const container = INPUT_ARGUMENTS.find((name) => argumentNames.includes(name));
  return container === undefined ? path : [container, ...path];
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      argumentValidation: ArgumentValidationPlugin<Types>;
    }
    export interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Schema of the arguments together. It checks, and does not convert. */
      validate?: ZodType;
    }
    export interface InputFieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      Type extends InputType<Types> | [InputType<Types>] = InputType<Types> | [InputType<Types>],
      Req extends FieldRequiredness<Type> = FieldRequiredness<Type>,
    > {
      /**
       * Schema of the value. It may convert the value to another of the same type. The message of an issue is a predicate:
       * "must not be empty".
       */
      validate?: ZodType;
    }
  }
}

/** Name of the plugin, for `plugins` of the builder. */
export const ARGUMENT_VALIDATION = "argumentValidation";
SchemaBuilder.registerPlugin(ARGUMENT_VALIDATION, ArgumentValidationPlugin);
