/** Records of the sandbox's name server. */
import type { Answer } from "dns-packet";

export const RECORD_TYPES = ["A", "AAAA", "MX", "TXT", "PTR", "CNAME"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  /** An address, a host name or a text, by type. For an MX record, the exchange. */
  readonly data: string;
}

export interface Zone {
  /** Stores records. They replace all records of the same name and type. */
  set(records: readonly DnsRecord[]): void;
  /** Returns the matching records; null when the name does not exist. */
  find(name: string, type: string): Answer[] | null;
}

const TTL_SECONDS = 60;
/** Longer texts are split into several strings (RFC 1035 section 3.3). */
const MAX_STRING_LENGTH = 255;

export function createZone(): Zone {
  const names = new Map<string, DnsRecord[]>();
  return {
    set(records) {
      const replaced = new Set(records.map(({ name, type }) => `${type} ${name.toLowerCase()}`));
      for (const name of new Set(records.map((record) => record.name.toLowerCase()))) {
        const remaining = (names.get(name) ?? []).filter(({ type }) => !replaced.has(`${type} ${name}`));
        names.set(name, [...remaining, ...records.filter((record) => record.name.toLowerCase() === name)]);
      }
    },
    find(name, type) {
      const records = names.get(name.toLowerCase());
      return records?.filter((record) => record.type === type).map(toResourceRecord) ?? null;
    },
  };
}

function toResourceRecord({ name, type, data }: DnsRecord): Answer {
  const common = { name, ttl: TTL_SECONDS, class: "IN" as const };
  if (type === "MX") return { ...common, type, data: { preference: 10, exchange: data } };
  if (type !== "TXT") return { ...common, type, data };
  const strings = data.match(new RegExp(`.{1,${MAX_STRING_LENGTH}}`, "gs")) ?? [""];
  return { ...common, type, data: strings };
}
