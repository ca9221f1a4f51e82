/** A whole postal address, as the service gives it. */
export interface PostalAddress {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string | null;
  readonly address1: string;
  readonly address2: string | null;
  readonly city: string;
  readonly provinceCode: string | null;
  readonly postalCode: string;
  readonly countryCode: string;
  readonly phone: string | null;
}

/** Our names of its fields, and those by which its digest is made. */
const WRITTEN = {
  firstName: "first_name",
  lastName: "last_name",
  company: "company",
  address1: "address1",
  address2: "address2",
  city: "city",
  provinceCode: "province_code",
  postalCode: "postal_code",
  countryCode: "country_code",
  phone: "phone",
} as const satisfies Record<keyof PostalAddress, string>;

/** As `ship_to` writes it, without what is not there: what its digest is made of. */
export function writtenAddress(address: PostalAddress): Readonly<Record<string, string>> {
  const given = Object.entries(WRITTEN).flatMap(([field, name]) => {
    const value = address[field as keyof PostalAddress];
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}
