/** What a test may cost is in its file's name or folder. `CONTRIBUTING.md` says which class a new test belongs to. */
export interface CostClass {
  readonly name: string;
  /** Globs from the root of the project. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const SUFFIXED = ["process", "browser", "service", "judge"] as const;
const SOAK = "test/soak/**";

const suffixed = (name: string): CostClass => ({ name, include: [`test/**/*.${name}.test.ts`], exclude: [SOAK] });

/** In the order in which they run: what takes long first, and last the small files that fill the gaps. */
export const COST_CLASSES: readonly CostClass[] = [
  ...SUFFIXED.map(suffixed),
  { name: "unit", include: ["test/**/*.test.ts"], exclude: [SOAK, ...SUFFIXED.map((name) => `**/*.${name}.test.ts`)] },
  { name: "soak", include: [`${SOAK}/*.test.ts`], exclude: [] },
];
