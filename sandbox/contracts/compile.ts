import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Compiles the sandbox's contracts and writes `<Name>.json` beside each source: the ABI, and the creation code in hex. The
 * files are committed, so the sandbox needs no compiler to start.
 *
 * Run: npm run sandbox:compile
 */
const CONTRACTS = [
  ...["Usdc", "Permit2", "ExactPermit2Proxy", "UptoPermit2Proxy", "Multicall3"],
  ...["Token", "Weth", "OldToken", "AllowanceHolder", "Settler", "Trap", "UnusualToken"],
];

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
}

const require = createRequire(import.meta.url);
const solc = require("solc") as {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
};

const here = (file: string) => new URL(file, import.meta.url);
const sources = Object.fromEntries(
  CONTRACTS.map((name) => [`${name}.sol`, { content: readFileSync(here(`${name}.sol`), "utf8") }]),
);
const input = {
  language: "Solidity",
  sources,
  settings: {
    optimizer: { enabled: true, runs: 200 },
    viaIR: true,
    evmVersion: "cancun",
    // Without a metadata hash the bytecode depends only on the source code.
    metadata: { bytecodeHash: "none", appendCBOR: false },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  },
};

const output = JSON.parse(
  solc.compile(JSON.stringify(input), {
    import: (path) => ({ contents: readFileSync(require.resolve(path), "utf8") }),
  }),
) as CompilerOutput;

const failures = (output.errors ?? []).filter((error) => error.severity === "error");
if (failures.length > 0) {
  process.stderr.write(failures.map((error) => error.formattedMessage).join("\n"));
  process.exit(1);
}
for (const name of CONTRACTS) {
  const compiled = output.contracts[`${name}.sol`]?.[name];
  if (!compiled) throw new Error(`The compiler output does not contain ${name}.`);
  const artifact = { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` };
  writeFileSync(here(`${name}.json`), `${JSON.stringify(artifact)}\n`);
  process.stdout.write(`${name}: ${artifact.bytecode.length / 2 - 1} bytes\n`);
}
