import { generateKeyPairSync, sign } from "node:crypto";
import { isIPv4 } from "node:net";

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, "hex");
const utcTime = (date: Date) =>
  der(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, "")
        .slice(2)}`,
    ),
  );

const ECDSA_SHA256 = sequence(der(0x06, hex("2a8648ce3d040302")));
const COMMON_NAME = hex("550403");
const SUBJECT_ALT_NAME = hex("551d11");

/** Names and IPv4 addresses have different tags in `GeneralName` (RFC 5280 section 4.2.1.6). */
const generalName = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));

/** Creates a self-signed certificate for a host name or IPv4 address (RFC 5280), valid from yesterday for a year. */
export function selfSigned(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const dayMs = 86_400_000;
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(hostname)))));
  const altNames = sequence(generalName(hostname));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01")),
    ECDSA_SHA256,
    name,
    sequence(utcTime(new Date(Date.now() - dayMs)), utcTime(new Date(Date.now() + 365 * dayMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(der(0x06, SUBJECT_ALT_NAME), der(0x04, altNames)))),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ECDSA_SHA256, der(0x03, Buffer.concat([hex("00"), signature])));
  const base64 = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
