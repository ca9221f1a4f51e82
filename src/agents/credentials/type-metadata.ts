import { CREDENTIAL_TYPES, type CredentialKind, credentialTypePath } from "./kinds.ts";

const LOCALE = "en";

/** What a kind of credential means, for programs and people (SD-JWT VC, "Type Metadata Format"): served where `vct` points. */
export function typeMetadata(baseUrl: string, kind: CredentialKind): object {
  const { name, description, claims } = CREDENTIAL_TYPES[kind];
  return {
    vct: baseUrl + credentialTypePath(kind),
    name,
    description,
    display: [{ locale: LOCALE, name, description }],
    claims: claims.map(({ path, ...display }) => ({ path, display: [{ locale: LOCALE, ...display }], sd: "allowed" })),
  };
}
