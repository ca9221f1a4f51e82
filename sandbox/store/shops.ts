import type { Store } from "./shop.ts";
import { bindery } from "./shops/bindery.ts";
import { corner } from "./shops/corner.ts";
import { harbour } from "./shops/harbour.ts";
import { kissa } from "./shops/kissa.ts";
import { maple } from "./shops/maple.ts";
import { quarry } from "./shops/quarry.ts";
import { souk } from "./shops/souk.ts";

/** All sandbox stores. */
export const STORES: readonly Store[] = [harbour, maple, kissa, souk, corner, quarry, bindery];
