/** What a sign-in leaves on this machine: one file, readable by this user alone, always whole. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { CliError } from "./errors.ts";
import { withFileLock } from "./file-lock.ts";

/** The tokens of one service. */
export interface Credentials {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAtMs: number;
  readonly scope: string;
  readonly sub: string;
}

interface Content {
  readonly version: 1;
  /** The service signed in to last. */
  readonly lastUsed: string | null;
  readonly services: Readonly<Record<string, Credentials>>;
}

const EMPTY: Content = { version: 1, lastUsed: null, services: {} };

/** `$XDG_CONFIG_HOME/satchel`, a relative value being no value (XDG Base Directory Specification). */
function folder(): string {
  const configured = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homedir(), ".config"), "satchel");
}

const file = () => join(folder(), "credentials.json");

export async function readCredentials(baseUrl: string): Promise<Credentials | null> {
  return (await read()).services[baseUrl] ?? null;
}

/** The service signed in to last. */
export async function lastUsedBaseUrl(): Promise<string | null> {
  return (await read()).lastUsed;
}

/** Keeps a sign-in; null forgets it. Call it inside {@link withCredentialsLock}. */
export async function writeCredentials(baseUrl: string, credentials: Credentials | null): Promise<void> {
  const { lastUsed, services } = await read();
  const { [baseUrl]: _, ...others } = services;
  await write(
    credentials
      ? { version: 1, lastUsed: baseUrl, services: { ...others, [baseUrl]: credentials } }
      : { version: 1, lastUsed: lastUsed === baseUrl ? null : lastUsed, services: others },
  );
}

/** Lets one command at a time change the file. */
export async function withCredentialsLock<Result>(work: () => Promise<Result>): Promise<Result> {
  await makeFolder();
  return await withFileLock(join(folder(), "credentials.lock"), work);
}

async function read(): Promise<Content> {
  let text: string;
  try {
    text = await readFile(file(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return EMPTY;
    throw error;
  }
  try {
    const content = JSON.parse(text) as Content;
    if (content.version === 1 && typeof content.services === "object") return content;
  } catch {}
  throw new CliError(`${file()} cannot be read. Remove it, and sign in again.`);
}

async function write(content: Content): Promise<void> {
  await makeFolder();
  const temporary = `${file()}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file());
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function makeFolder(): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  // It may have been there before, open to others.
  await chmod(folder(), 0o700);
}
