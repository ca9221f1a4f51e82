/** Complete postal address, as returned by the service. */
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

/** Field names of `PostalAddress`, and the names in the document that is hashed. */
const DOCUMENT_FIELDS = {
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

/** Returns the address in the format of `ship_to`, without null fields. The address digest is computed over this object. */
export function addressDocument(address: PostalAddress): Readonly<Record<string, string>> {
  const fields = Object.entries(DOCUMENT_FIELDS).flatMap(([field, name]) => {
    const value = address[field as keyof PostalAddress];
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}
