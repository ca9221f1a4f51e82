import type { Store } from "./definition.ts";
import { bindery } from "./stores/bindery.ts";
import { corner } from "./stores/corner.ts";
import { harbour } from "./stores/harbour.ts";
import { kissa } from "./stores/kissa.ts";
import { maple } from "./stores/maple.ts";
import { quarry } from "./stores/quarry.ts";
import { souk } from "./stores/souk.ts";

/** All sandbox stores. */
export const STORES: readonly Store[] = [harbour, maple, kissa, souk, corner, quarry, bindery];
