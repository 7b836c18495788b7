import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What the project's own lint rules report. */
export interface LintProblem {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
}

/** Lints files, by path, as if they were the whole project. */
export const lintFiles = (files: Readonly<Record<string, string>>): readonly LintProblem[] => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-lint-'));
  copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  for (const name of ['node_modules', 'scripts']) symlinkSync(resolve(name), join(folder, name));
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const args = ['--deny-warnings', '--format=json', 'src'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), args, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return (JSON.parse(stdout) as { diagnostics: LintProblem[] }).diagnostics; // the output format of oxlint
};
