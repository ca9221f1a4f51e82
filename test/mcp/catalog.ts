/** The catalogue of tools with the schema of the service. */
import { createCatalog } from "../../mcp/catalog.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { buildRestSchema } from "../../schema/schema.ts";

export const CATALOG = createCatalog(buildRestSchema(), TOOLS);
