import { BaseSequencer, type TestSpecification } from "vitest/node";

const FIRST = [
  // It measures the memory of its process, which nothing else may have used before.
  /\/test\/mail\/hostile-mail\./,
  // A minute or more each: they drive whole checkouts in a browser, or start and kill whole services.
  /\/test\/worker\/(?:checkout-|runtime-ends|person-needed)|\/test\/e2e\//,
];

/**
 * A run is over with its last file, so the longest must not come last. Vitest knows from earlier runs which those are; in a
 * new clone it goes by how many bytes they have.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((pattern) => pattern.test(moduleId));
      return at === -1 ? FIRST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
