/** Shell completion scripts: commands, then the options of the command. */
import type { Command } from "./command.ts";
import { COMMON_OPTIONS } from "./common-options.ts";
import { UsageError } from "./errors.ts";

type Commands = Readonly<Record<string, Command>>;

/** Returns the completion script for a shell. @throws {UsageError} for an unknown shell */
export function createCompletionScript(shell: string, commands: Commands): string {
  const create = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (!create) throw new UsageError(`SHELL must be one of ${Object.keys(SHELLS).join(", ")}.`);
  return create(commands);
}

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: (commands) => `_satchel() {
  local words
  case "\${COMP_WORDS[1]}" in
${casesOf(commands, (options) => `words="${options}"`)}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${Object.keys(commands).join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _satchel satchel`,
  zsh: (commands) => `#compdef satchel
_satchel() {
  local -a commands
  commands=(
${Object.entries(commands)
  .map(([name, { summary }]) => `    '${name}:${quote(summary)}'`)
  .join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${casesOf(commands, (options) => `compadd -- ${options}`)}
  esac
}
compdef _satchel satchel`,
  fish: (commands) =>
    [
      "complete -c satchel -f",
      ...Object.entries(commands).flatMap(([name, command]) => [
        `complete -c satchel -n __fish_use_subcommand -a ${name} -d '${quote(command.summary)}'`,
        ...optionNamesOf(command).map(
          (option) => `complete -c satchel -n '__fish_seen_subcommand_from ${name}' -l ${option}`,
        ),
      ]),
    ].join("\n"),
};

function casesOf(commands: Commands, act: (options: string) => string): string {
  return Object.entries(commands)
    .map(
      ([name, command]) =>
        `    ${name}) ${act(
          optionNamesOf(command)
            .map((option) => `--${option}`)
            .join(" "),
        )} ;;`,
    )
    .join("\n");
}

function optionNamesOf({ options }: Command): string[] {
  return [...Object.keys(options), ...Object.keys(COMMON_OPTIONS)];
}

/** Single quotes end a text in every shell. */
function quote(text: string): string {
  return text.replaceAll("'", "’");
}
