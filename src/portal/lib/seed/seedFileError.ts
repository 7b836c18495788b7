/** One problem in a seed file. */
export interface SeedProblem {
  /** From 1. */
  readonly line: number;
  /** `tenants[0].users[3].email`, or empty if the file cannot be read at all. */
  readonly field: string;
  readonly message: string;
}

/** A seed file is not valid; lists every problem with its line. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError';
  readonly problems: readonly SeedProblem[];

  constructor(fileName: string, problems: readonly SeedProblem[]) {
    super(
      problems
        .map(
          ({ line, field, message }) => `${fileName}:${line}: ${field === '' ? '' : `${field} `}${message}`,
        )
        .join('\n'),
    );
    this.problems = problems;
  }
}
