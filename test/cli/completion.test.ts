/** Completion scripts, run by their shells. A shell that is not installed is skipped. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/commands.ts";
import { createCompletionScript } from "../../cli/completion.ts";

const names = Object.keys(COMMANDS);

/** Runs the script and then returns what the shell offers for a command line with these words. */
const SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) =>
    run("bash", [
      "-c",
      `${script}\nCOMP_WORDS=(satchel ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
_satchel; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]),
  // Outside a terminal zsh offers nothing, so functions replace its own that filter and show the candidates.
  zsh: (script, words) =>
    run("zsh", [
      "-f",
      "-c",
      `compdef() { }
offer() { local one; for one in "$@"; do [[ $one == \${words[CURRENT]}* ]] && print -r -- "$one"; done; return 0 }
compadd() { [[ $1 == -- ]] && shift; offer "$@" }
_describe() { offer "\${commands[@]}" }
${script}
words=(satchel ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length + 1}; _satchel`,
    ]),
  fish: (script, words) => run("fish", ["--no-config", "-c", `${script}\ncomplete -C 'satchel ${words.join(" ")}'`]),
};

const run = (shell: string, args: readonly string[]) => execFileSync(shell, args, { encoding: "utf8" });
const isInstalled = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** The candidates, without their descriptions. */
const complete = (shell: string, ...words: string[]) =>
  (SHELLS[shell]?.(createCompletionScript(shell, COMMANDS), words) ?? "")
    .split("\n")
    .map((line) => (line.split(/[\t:]/)[0] ?? "").trim())
    .filter((line) => line !== "");

describe.each(Object.keys(SHELLS).map((shell) => [shell, isInstalled(shell)] as const))("%s", (shell, isPresent) => {
  it.skipIf(!isPresent)("offers all commands, and those that begin like the word", () => {
    expect(complete(shell, "").toSorted()).toEqual(names.toSorted());
    expect(complete(shell, "bal")).toEqual(["balance"]);
    expect(complete(shell, "zzz")).toEqual([]);
  });

  it.skipIf(!isPresent).each(names)("offers the options of %s only", (name) => {
    const expected = Object.keys(COMMANDS[name as keyof typeof COMMANDS]?.options ?? {}).map((option) => `--${option}`);
    const offered = complete(shell, name, "--");
    expect(offered).toEqual(expect.arrayContaining([...expected, "--json"]));
    expect(new Set(offered).size).toBe(offered.length);
    if (!expected.includes("--device")) expect(offered).not.toContain("--device");
  });
});
