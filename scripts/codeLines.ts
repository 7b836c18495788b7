/**
 * Counts code lines, without blank lines and comments, and compares them with the budgets. A package over its budget by
 * more than a twentieth fails, unless its lines are only printed: raise a number here only in a change that argues why.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Part {
  readonly name: string;
  readonly budget?: number;
  /** Pattern of its files' paths. A file belongs to the first part that it matches. */
  readonly files: RegExp;
}
interface Budget extends Part {
  readonly parts?: readonly Part[];
  /** Its lines are only printed, because it is over its budget. */
  readonly isReported?: boolean;
}

export const budgets: readonly Budget[] = [
  { name: 'contract', budget: 1150, files: /^src\/contract\// },
  {
    name: 'react',
    isReported: true,
    budget: 3150,
    files: /^src\/react\//,
    parts: [
      { name: 'styles', budget: 270, files: /\.css$/ },
      { name: 'labels', budget: 560, files: /\/labels[./]/ },
      { name: 'testing', budget: 270, files: /\/testing\// },
      { name: 'logic', budget: 2050, files: /./ },
    ],
  },
  {
    name: 'server, express',
    isReported: true,
    budget: 3500,
    files: /^src\/(server|express)\//,
    parts: [
      {
        name: 'inbox',
        budget: 550,
        files: /\/actions\/(inbox|sql|sharedCommits|sqlInbox|sqlite|postgres)\.ts$/,
      },
      { name: 'actions without the inbox', budget: 1150, files: /\/actions\// },
    ],
  },
  { name: 'vite', budget: 240, files: /^src\/vite\// },
  { name: 'portal-client', isReported: true, budget: 3500, files: /^src\/portal-client\// },
  {
    name: 'portal',
    budget: 10_450,
    files: /^src\/portal\//,
    parts: [
      { name: 'console', budget: 2200, files: /\/console\// },
      { name: 'report page', budget: 1250, files: /\/reports\/page\// },
      { name: 'reports', budget: 950, files: /\/reports\// },
      { name: 'server and resources', budget: 6050, files: /./ },
    ],
  },
  { name: 'cli', budget: 4000, files: /^src\/cli\// },
  { name: 'conformance', budget: 1300, files: /^src\/conformance\// },
  { name: 'create-vitrine', budget: 100, files: /^src\/create-vitrine\// },
  { name: 'scripts', budget: 1200, files: /^scripts\// },
  { name: 'bench', budget: 1800, files: /^bench\// },
  {
    name: 'test',
    isReported: true,
    files: /^test\//,
    parts: [
      { name: 'files with tests', files: /\.test\.tsx?$/ },
      { name: 'files without a test', budget: 5000, files: /./ },
    ],
  },
  { name: 'stories', files: /^stories\// },
  { name: 'examples', files: /^examples\// },
];

const commentOrText =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|(["'])(?:\\[\s\S]|(?!\1)[^\\\n])*(?:\1|\n|$)|`(?:\\[\s\S]|[^`\\])*(?:`|$)/g;

/** Lines that hold more than a comment. */
const countCodeLines = (text: string): number =>
  text
    .replaceAll(commentOrText, (found) => (found.startsWith('/') ? '' : found))
    .split('\n')
    .filter((line) => line.trim() !== '').length;

/** Code files, and the data files inside packages. */
const isCounted = (file: string): boolean =>
  /\.([cm]?[jt]s|[jt]sx|css)$/.test(file) ||
  (/^src\/.*\.(json|sql|html)$/.test(file) && !/\/(package|tsconfig)\.json$/.test(file));

interface Measured extends Part {
  readonly lines: number;
  readonly isReported: boolean;
}

/** The lines of each package, followed by those of its parts. */
const measure = (linesByFile: ReadonlyMap<string, number>): readonly Measured[] =>
  budgets.flatMap(({ parts = [], isReported = false, ...whole }) => {
    const rest = new Map([...linesByFile].filter(([file]) => whole.files.test(file)));
    const lines = [...rest.values()].reduce((sum, one) => sum + one, 0);
    const measuredParts = parts.map((part) => {
      const own = [...rest].filter(([file]) => part.files.test(file));
      for (const [file] of own) rest.delete(file);
      const linesOfPart = own.reduce((sum, [, one]) => sum + one, 0);
      return { ...part, name: `${whole.name}: ${part.name}`, isReported, lines: linesOfPart };
    });
    return [{ ...whole, isReported, lines }, ...measuredParts];
  });

/** Whether a package is over its budget by more than a twentieth. */
const isOverBudget = ({ lines, budget = Number.POSITIVE_INFINITY, isReported }: Measured): boolean =>
  !isReported && lines > budget * 1.05;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (import.meta.main) {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(isCounted);
  const measured = measure(new Map(files.map((file) => [file, countCodeLines(readFileSync(file, 'utf8'))])));
  for (const one of measured) {
    const budget = one.budget === undefined ? '' : ` of ${one.budget}`;
    print(
      `${isOverBudget(one) ? '✗' : ' '} ${one.name}: ${one.lines}${budget}${one.isReported ? ' (printed only)' : ''}`,
    );
  }
  if (measured.some(isOverBudget)) {
    print('A budget is met by removing a layer or deriving from a table, not by denser code.');
    process.exitCode = 1;
  }
}
