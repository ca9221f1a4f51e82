/** Stored credentials: one file, readable only by the current user and replaced atomically. */
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
  /** Base URL of the last sign-in. */
  readonly lastUsed: string | null;
  readonly services: Readonly<Record<string, Credentials>>;
}

const EMPTY: Content = { version: 1, lastUsed: null, services: {} };

/** Returns `$XDG_CONFIG_HOME/satchel`. A relative value is ignored (XDG Base Directory Specification). */
function getFolder(): string {
  const configured = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homedir(), ".config"), "satchel");
}

const getFile = () => join(getFolder(), "credentials.json");

export async function readCredentials(baseUrl: string): Promise<Credentials | null> {
  return (await read()).services[baseUrl] ?? null;
}

/** Returns the base URL of the last sign-in. */
export async function readLastUsedBaseUrl(): Promise<string | null> {
  return (await read()).lastUsed;
}

/** Stores credentials, or deletes them with null. Call it inside {@link withCredentialsLock}. */
export async function writeCredentials(baseUrl: string, credentials: Credentials | null): Promise<void> {
  const { lastUsed, services } = await read();
  const { [baseUrl]: _, ...others } = services;
  await write(
    credentials
      ? { version: 1, lastUsed: baseUrl, services: { ...others, [baseUrl]: credentials } }
      : { version: 1, lastUsed: lastUsed === baseUrl ? null : lastUsed, services: others },
  );
}

/** Runs `work` while no other command changes the file. */
export async function withCredentialsLock<Result>(work: () => Promise<Result>): Promise<Result> {
  await createFolder();
  return await withFileLock(join(getFolder(), "credentials.lock"), work);
}

async function read(): Promise<Content> {
  let text: string;
  try {
    text = await readFile(getFile(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return EMPTY;
    throw error;
  }
  try {
    const content = JSON.parse(text) as Content;
    if (content.version === 1 && typeof content.services === "object") return content;
  } catch {}
  throw new CliError(`${getFile()} is not valid. Remove the file and sign in again.`);
}

async function write(content: Content): Promise<void> {
  await createFolder();
  const temporary = `${getFile()}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, getFile());
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function createFolder(): Promise<void> {
  await mkdir(getFolder(), { recursive: true, mode: 0o700 });
  // An existing folder may be readable by other users.
  await chmod(getFolder(), 0o700);
}
