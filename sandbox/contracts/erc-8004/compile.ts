import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Compiles the reference contracts of ERC-8004 and writes `<Name>.json` beside each source. Installs the compiler and libraries of the
 * deployed contracts in a temporary folder, because the project has later ones. Fails if a committed file differs.
 *
 * The bytecode ends with a digest of the compiler's input. So source names and remappings are those of the reference's build with
 * Hardhat 3, and line ends must not change.
 *
 * Run: npm run sandbox:compile-registry [-- --write]
 */
const CONTRACTS = ["IdentityRegistryUpgradeable", "ERC1967Proxy", "MinimalUUPS", "MinimalUUPSMainnet"];
const COMPILER = "0.8.24";
/** Version of both of OpenZeppelin's packages in the reference's lock file. */
const LIBRARIES = "5.4.0";
const PACKAGES = ["@openzeppelin/contracts", "@openzeppelin/contracts-upgradeable"];

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
}

const here = (file: string) => new URL(file, import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "satchel-erc-8004-"));
try {
  const versions = [`solc@${COMPILER}`, ...PACKAGES.map((name) => `${name}@${LIBRARIES}`)];
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", ...versions], {
    cwd: folder,
    stdio: "inherit",
  });
  const output = compile(folder);
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (failures.length > 0) throw new Error(failures.map((error) => error.formattedMessage).join("\n"));
  for (const name of CONTRACTS) report(name, output);
} finally {
  rmSync(folder, { recursive: true });
}

function compile(installation: string): CompilerOutput {
  const require = createRequire(join(installation, "package.json"));
  const solc = require("solc") as {
    compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
  };
  const target = (name: string) => `npm/${name}@${LIBRARIES}/`;
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      CONTRACTS.map((name) => [
        `project/contracts/${name}.sol`,
        { content: readFileSync(here(`${name}.sol`), "utf8") },
      ]),
    ),
    settings: {
      evmVersion: "shanghai",
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
      remappings: [
        `${target("@openzeppelin/contracts-upgradeable")}:@openzeppelin/contracts/=${target("@openzeppelin/contracts")}`,
        ...PACKAGES.map((name) => `project/:${name}/=${target(name)}`),
      ],
      viaIR: true,
    },
  };
  const fileOf = (path: string) =>
    join(installation, "node_modules", path.replace("npm/", "").replace(`@${LIBRARIES}/`, "/"));
  return JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readFileSync(fileOf(path), "utf8") }) }),
  ) as CompilerOutput;
}

function report(name: string, output: CompilerOutput): void {
  const compiled = output.contracts[`project/contracts/${name}.sol`]?.[name];
  if (!compiled) throw new Error(`The compiler output does not contain ${name}.`);
  const artifact = { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` };
  const text = `${JSON.stringify(artifact)}\n`;
  if (process.argv.includes("--write")) writeFileSync(here(`${name}.json`), text);
  else if (readFileSync(here(`${name}.json`), "utf8") !== text)
    throw new Error(`${name}.json differs from the compiler's output. It was not changed. Run again with --write.`);
  process.stdout.write(`${name}: ${artifact.bytecode.length / 2 - 1} bytes\n`);
}
