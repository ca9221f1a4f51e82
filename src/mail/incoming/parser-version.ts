/**
 * Version of the parser. Increase it when a change of the parser changes what it reads from messages: a job then parses the stored
 * ones again.
 */
export const PARSER_VERSION = 2;
