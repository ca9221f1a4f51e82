/** Cost classes of tests, recognised by file suffix or folder. `CONTRIBUTING.md` describes the class of a new test. */
export interface CostClass {
  readonly name: string;
  /** Globs from the root of the project. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const SUFFIXED = ["process", "browser", "sample", "service", "judge"] as const;
const SOAK = "test/soak/**";

const createCostClass = (name: string): CostClass => ({
  name,
  include: [`test/**/*.${name}.test.ts`],
  exclude: [SOAK],
});

/** Classes in the order in which they run: slow files first, then small files that fill the gaps. */
export const COST_CLASSES: readonly CostClass[] = [
  ...SUFFIXED.map(createCostClass),
  { name: "unit", include: ["test/**/*.test.ts"], exclude: [SOAK, ...SUFFIXED.map((name) => `**/*.${name}.test.ts`)] },
  { name: "soak", include: [`${SOAK}/*.test.ts`], exclude: [] },
];
