/** EIP-712 digests of the messages Satchel signs. Manual encoding, cached domains and a compiled hash make them fast. */
import { createKeccak } from "hash-wasm";
import type { Authorization, Permit2Authorization, PermitAuthorization } from "./authorization.ts";
import { PERMIT2_ADDRESS } from "./permit2.ts";

/** One shared state, since each hash starts and ends within a call. */
const keccak = await createKeccak(256);

const TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
const EXACT_WITNESS = "Witness(address to,uint256 validAfter)";
const UPTO_WITNESS = "Witness(address to,address facilitator,uint256 validAfter)";
const WITNESS_TRANSFER =
  "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)";

const TYPE = {
  domain: hashText("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
  domainWithoutVersion: hashText("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
  transfer: hashText(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
  ),
  permit: hashText("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
  tokenPermissions: hashText(TOKEN_PERMISSIONS),
  exactWitness: hashText(EXACT_WITNESS),
  uptoWitness: hashText(UPTO_WITNESS),
  exactTransfer: hashText(WITNESS_TRANSFER + TOKEN_PERMISSIONS + EXACT_WITNESS),
  uptoTransfer: hashText(WITNESS_TRANSFER + TOKEN_PERMISSIONS + UPTO_WITNESS),
};

type EvmAuthorization = Exclude<Authorization, { kind: "solana" }>;
type Transfer = Extract<Authorization, { kind: "eip3009" }>;

/** Returns the 32 bytes to sign: keccak256(0x1901 ‖ domain separator ‖ struct hash) (EIP-712). */
export function eip712Digest(authorization: EvmAuthorization): Uint8Array {
  const domain = authorization.kind === "permit2" ? permit2Domain(authorization.chainId) : tokenDomain(authorization);
  const preimage = Buffer.allocUnsafe(66);
  preimage.writeUInt16BE(0x1901, 0);
  preimage.set(domain, 2);
  preimage.set(structHash(authorization), 34);
  return keccak256(preimage);
}

function structHash(authorization: EvmAuthorization): Uint8Array {
  switch (authorization.kind) {
    case "eip3009":
      return transferHash(authorization);
    case "permit":
      return permitHash(authorization);
    case "permit2":
      return permit2Hash(authorization);
  }
}

function transferHash(it: Transfer): Uint8Array {
  return hashWords(
    TYPE.transfer,
    word(it.from),
    word(it.to),
    uint(it.valueAtomic),
    uint(it.validAfter),
    uint(it.validBefore),
    word(it.nonce),
  );
}

function permitHash(it: PermitAuthorization): Uint8Array {
  return hashWords(
    TYPE.permit,
    word(it.owner),
    word(it.spender),
    uint(it.valueAtomic),
    uint(it.nonce),
    uint(it.deadline),
  );
}

function permit2Hash(it: Permit2Authorization): Uint8Array {
  const { to, facilitator, validAfter } = it.witness;
  const permitted = hashWords(TYPE.tokenPermissions, word(it.asset), uint(it.amountAtomic));
  const witness = facilitator
    ? hashWords(TYPE.uptoWitness, word(to), word(facilitator), uint(validAfter))
    : hashWords(TYPE.exactWitness, word(to), uint(validAfter));
  const type = facilitator ? TYPE.uptoTransfer : TYPE.exactTransfer;
  return hashWords(type, permitted, word(it.spender), uint(it.nonce), uint(it.deadline), witness);
}

/** Cache of domain separators: one per chain and token, and one per chain for Permit2. Few, so never evicted. */
const separators = new Map<string, Uint8Array>();

function tokenDomain({ chainId, asset, domain }: Transfer | PermitAuthorization): Uint8Array {
  return cached(`${chainId}/${asset}/${domain.name}/${domain.version}`, () =>
    hashWords(TYPE.domain, hashText(domain.name), hashText(domain.version), uint(String(chainId)), word(asset)),
  );
}

function permit2Domain(chainId: number): Uint8Array {
  return cached(`${chainId}/permit2`, () =>
    hashWords(TYPE.domainWithoutVersion, hashText("Permit2"), uint(String(chainId)), word(PERMIT2_ADDRESS)),
  );
}

function cached(key: string, compute: () => Uint8Array): Uint8Array {
  const known = separators.get(key);
  if (known) return known;
  const separator = compute();
  separators.set(key, separator);
  return separator;
}

function hashText(text: string): Uint8Array {
  return keccak256(Buffer.from(text));
}

function hashWords(...words: Uint8Array[]): Uint8Array {
  return keccak256(Buffer.concat(words));
}

function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest("binary");
}

/** Returns an address or bytes32 in hex as a 32-byte word. */
function word(hex: `0x${string}`): Buffer {
  return Buffer.from(hex.slice(2).padStart(64, "0"), "hex");
}

/** Returns a decimal integer as a 32-byte big-endian word. */
function uint(decimal: string): Buffer {
  return Buffer.from(BigInt(decimal).toString(16).padStart(64, "0"), "hex");
}
