/** ISO 3166-1 alpha-2 codes, as in the Storefront API's enum `CountryCode` without its additional values. */
export const COUNTRY_CODES = (
  "AC AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG " +
  "CH CI CK CL CM CN CO CR CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL " +
  "GM GN GP GQ GR GS GT GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC " +
  "LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU " +
  "NZ OM PA PE PF PG PH PK PL PM PN PS PT PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SZ " +
  "TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW ZZ"
).split(" ");

/** Required address parts of a country. */
interface AddressRule {
  /** Codes without the country prefix; absent if addresses contain no province. */
  provinces?: string[];
  /** Absent if there are no postal codes. */
  zip?: RegExp;
}

/** US states by the first digit of their ZIP codes. */
export const STATES_BY_ZIP: Record<string, string[]> = {
  0: ["CT", "MA", "ME", "NH", "NJ", "RI", "VT"],
  1: ["DE", "NY", "PA"],
  2: ["DC", "MD", "NC", "SC", "VA", "WV"],
  3: ["AL", "FL", "GA", "MS", "TN"],
  4: ["IN", "KY", "MI", "OH"],
  5: ["IA", "MN", "MT", "ND", "SD", "WI"],
  6: ["IL", "KS", "MO", "NE"],
  7: ["AR", "LA", "OK", "TX"],
  8: ["AZ", "CO", "ID", "NM", "NV", "UT", "WY"],
  9: ["AK", "CA", "HI", "OR", "WA"],
};

/** Rules for destinations of the sandbox stores. Other countries require only a street and a city. */
export const ADDRESS_RULES: Record<string, AddressRule> = {
  AE: { provinces: ["AJ", "AZ", "DU", "FU", "RK", "SH", "UQ"] },
  AU: { provinces: ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"], zip: /^\d{4}$/ },
  CA: {
    provinces: ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"],
    zip: /^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/i,
  },
  FR: { zip: /^\d{5}$/ },
  GB: { zip: /^(GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i },
  IE: { zip: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/i },
  JP: {
    provinces: Array.from({ length: 47 }, (_, index) => `JP-${String(index + 1).padStart(2, "0")}`),
    zip: /^\d{3}-?\d{4}$/,
  },
  KW: { provinces: ["AH", "FA", "HA", "JA", "KU", "MU"] },
  US: { provinces: Object.values(STATES_BY_ZIP).flat().sort(), zip: /^\d{5}(-\d{4})?$/ },
};
