import { GraphQLError } from "graphql";

/**
 * A value that a scalar rejects. The scalar throws it, or receives it instead of the value if the operation's field reports the
 * problem (see `variable-problems.ts`). It never reaches a resolver.
 */
export class InvalidValue extends GraphQLError {
  /** The problem as a predicate of the field, such as "must be a string". */
  readonly reason: string;
  constructor(scalar: string, reason: string) {
    super(`${scalar} ${reason}.`);
    this.reason = reason;
  }
}
